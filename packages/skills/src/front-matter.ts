import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument } from "yaml";

/**
 * - `front_matter_missing`, `front_matter_invalid`: the text does not begin with YAML between two lines `---`
 * - `field_missing`, `field_invalid`: about one field
 */
type MatterProblemCode = "front_matter_missing" | "front_matter_invalid" | "field_missing" | "field_invalid";

/** What is wrong with a text that has front matter. */
export interface MatterProblem<Code extends string> {
  readonly code: Code;
  /** The line of the file, counted from 1. */
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

/** Characters of front matter. What a file needs is a page; more is an attack on the parser, or on the prompt. */
const longest = 65_536;

/**
 * The front matter of a text, which is YAML between two lines `---`, and the body below it. It never throws for a text: what is wrong is
 * in `problems`, each with its line. Aliases are not followed, so that no text grows as it is read.
 */
export class FrontMatter<Code extends string = MatterProblemCode> {
  readonly problems: MatterProblem<Code | MatterProblemCode>[] = [];
  /** Whether there are fields to read. */
  readonly isReadable: boolean;
  /** What stands below. */
  readonly body: string;
  /** The line of the file that the body begins on. */
  readonly bodyLine: number;
  readonly #lines = new LineCounter();
  readonly #pairs = new Map<string, Pair>();
  #document: Document.Parsed | undefined;

  constructor(text: string) {
    const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
    const end = lines[0]?.trimEnd() === "---" ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---") : -1;
    this.body = lines.slice(end + 1).join("\n");
    this.bodyLine = end + 2;
    if (end === -1)
      this.problem(
        "front_matter_missing",
        1,
        'The first line must be "---", and a line "---" must end the front matter.',
      );
    this.isReadable = end !== -1 && this.#read(lines.slice(1, end).join("\n"));
  }

  /** The names of the fields, in their order. */
  get fields(): readonly string[] {
    return [...this.#pairs.keys()];
  }

  has(field: string): boolean {
    return this.#pairs.has(field);
  }

  /** The line of a field; the first one if it is missing. */
  line(field: string): number {
    const key = this.#pairs.get(field)?.key as { range?: readonly [number, number, number] } | null | undefined;
    // The front matter begins on the second line of the file.
    return key?.range === undefined ? 1 : this.#lines.linePos(key.range[0]).line + 1;
  }

  /** The value of a field as JSON; undefined if it is missing, or has an alias, which is a problem. */
  value(field: string): unknown {
    const node = this.#pairs.get(field)?.value as { toJS?(document: unknown, options: object): unknown } | null;
    if (!node?.toJS || !this.#document) return undefined;
    try {
      return node.toJS(this.#document, { maxAliasCount: 0 });
    } catch {
      this.problem("field_invalid", this.line(field), `${field} has an alias (*name). Write the value itself.`);
      return undefined;
    }
  }

  /** A field that must be a text of at most so many characters, without white space around it. What else it is, is a problem. */
  text(field: string, most: number, isRequired = false): string | undefined {
    const pair = this.#pairs.get(field);
    if (pair === undefined) {
      if (isRequired) this.problem("field_missing", 1, `The front matter lacks ${field}. Add a line "${field}: …".`);
      return undefined;
    }
    const value = isScalar(pair.value) ? pair.value.value : pair.value;
    const invalid = (why: string) => this.problem("field_invalid", this.line(field), `${field} ${why}`);
    if (typeof value !== "string") {
      const advice = isScalar(pair.value) && value !== null ? ` Put it in quotes: ${field}: "${String(value)}".` : "";
      invalid(`must be a text.${advice}`);
    } else if (value.trim() === "") invalid(`is empty.${isRequired ? "" : " Leave it out, or give it a text."}`);
    else if (value.length > most) invalid(`has ${value.length} characters. At most ${most} are allowed.`);
    else return value.trim();
    return undefined;
  }

  problem(code: Code | MatterProblemCode, line: number, message: string): void {
    this.problems.push({ code, line, message });
  }

  #read(source: string): boolean {
    if (source.length > longest) {
      const message = `The front matter has ${source.length} characters. At most ${longest} are read.`;
      this.problem("front_matter_invalid", 2, message);
      return false;
    }
    const document = parseDocument(source, { lineCounter: this.#lines, prettyErrors: false, uniqueKeys: true });
    for (const { message, pos } of document.errors) {
      const line = this.#lines.linePos(pos[0]).line + 1;
      this.problem(
        "front_matter_invalid",
        line,
        `The YAML is invalid: ${message}. Put a value with a colon in quotes.`,
      );
    }
    if (document.errors.length > 0) return false;
    if (!isMap(document.contents)) {
      this.problem("front_matter_invalid", 2, "The front matter must hold fields: `name: …` and `description: …`.");
      return false;
    }
    this.#document = document;
    for (const pair of document.contents.items) {
      const field = isScalar(pair.key) ? String(pair.key.value) : "?";
      this.#pairs.set(field, pair);
    }
    return true;
  }
}
