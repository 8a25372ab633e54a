import { checkOption, required, text as textOption } from "@cogency/protocol/options";
import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument } from "yaml";
import { entriesIn } from "./allowed-tools.ts";
import type { Skill, SkillProblem, SkillProblemCode } from "./skill.ts";

/** A skill, or why the text is none: exactly one of the two has something. */
export interface ParsedSkill {
  readonly skill?: Skill;
  readonly problems: readonly SkillProblem[];
}

/**
 * Reads the text of a `SKILL.md`, by the rules of https://agentskills.io/specification. Reports every fault of it, each with its line.
 *
 * @param folder the name of the folder that holds the file, which the skill must have as its name; any name if absent
 */
export function parseSkill(text: string, folder?: string): ParsedSkill {
  checkOption("parseSkill", "text", text, required(textOption));
  checkOption("parseSkill", "folder", folder, textOption);
  const parts = split(text);
  if (parts === undefined) {
    const message =
      'The first line must be "---", and a line "---" must end the front matter, with name and description.';
    return { problems: [{ code: "front_matter_missing", line: 1, message }] };
  }
  const reading = new FrontMatter(parts.front);
  const skill: Skill = {
    name: reading.name(folder),
    description: reading.text("description", { most: 1024, isRequired: true }) ?? "",
    text: parts.body.trim(),
    license: reading.text("license", { most: 1024 }),
    compatibility: reading.text("compatibility", { most: 500 }),
    metadata: reading.metadata(),
    allowedTools: reading.allowedTools(),
  };
  if (skill.text === "" && reading.isReadable) {
    reading.problem(
      "text_empty",
      parts.bodyLine,
      "There are no instructions below the front matter. Write what to do.",
    );
  }
  const problems = reading.problems.toSorted((a, b) => a.line - b.line);
  return problems.length > 0 ? { problems } : { skill: withoutUndefined(skill), problems };
}

interface Parts {
  front: string;
  body: string;
  /** The line that the body begins on. */
  bodyLine: number;
}

function split(text: string): Parts | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return undefined;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end === -1) return undefined;
  return { front: lines.slice(1, end).join("\n"), body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
}

/** Characters of front matter. What a skill needs is a page; more is an attack on the parser, or on the prompt. */
const longestFrontMatter = 65_536;

const fields = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

class FrontMatter {
  readonly problems: SkillProblem[] = [];
  readonly #lines = new LineCounter();
  readonly #pairs = new Map<string, Pair>();
  readonly isReadable: boolean;

  constructor(source: string) {
    this.isReadable = this.#read(source);
  }

  problem(code: SkillProblemCode, line: number, message: string): void {
    this.problems.push({ code, line, message });
  }

  name(folder: string | undefined): string {
    const name = this.text("name", { most: 64, isRequired: true });
    if (name === undefined) return "";
    const isInvalid = (why: string) => this.problem("field_invalid", this.#line("name"), `name: ${why}`);
    if (name !== name.toLowerCase()) isInvalid(`"${name}" must be in lower case: "${name.toLowerCase()}".`);
    else if (!/^[\p{L}\p{M}\p{N}-]+$/u.test(name))
      isInvalid(`"${shown(name)}" may hold letters, digits and "-" alone.`);
    else if (/^-|-$|--/.test(name)) isInvalid(`"${name}" may hold a "-" between two words alone.`);
    else if (folder !== undefined && name.normalize("NFC") !== folder.normalize("NFC")) {
      isInvalid(`"${name}" must be the name of its folder, "${shown(folder)}". Change one of the two.`);
    }
    return name;
  }

  text(field: string, { most, isRequired = false }: { most: number; isRequired?: boolean }): string | undefined {
    if (!this.isReadable) return undefined;
    const pair = this.#pairs.get(field);
    if (pair === undefined) {
      if (isRequired) this.problem("field_missing", 1, `The front matter lacks ${field}. Add a line "${field}: …".`);
      return undefined;
    }
    const value = isScalar(pair.value) ? pair.value.value : pair.value;
    const line = this.#line(field);
    if (typeof value !== "string") {
      const advice = isScalar(pair.value) && value !== null ? ` Put it in quotes: ${field}: "${String(value)}".` : "";
      this.problem("field_invalid", line, `${field} must be a text.${advice}`);
      return undefined;
    }
    const trimmed = value.trim();
    if (trimmed === "") {
      this.problem("field_invalid", line, `${field} is empty.${isRequired ? "" : " Leave it out, or give it a text."}`);
      return undefined;
    }
    const { length } = value;
    if (length <= most) return trimmed;
    this.problem("field_invalid", line, `${field} has ${length} characters. At most ${most} are allowed.`);
    return undefined;
  }

  /** The names and patterns of the open format: separated by blanks, which may stand inside of parentheses. A list is read, too. */
  allowedTools(): readonly string[] | undefined {
    const pair = this.#pairs.get("allowed-tools");
    if (pair === undefined) return undefined;
    const value = (pair.value as { toJSON?(): unknown } | null)?.toJSON?.();
    const list = Array.isArray(value) ? value : typeof value === "string" ? entriesIn(value) : undefined;
    if (list?.every(isEntry)) return list;
    const message =
      "allowed-tools must be a text such as: read Bash(git:*). Close each parenthesis; leave the field out to allow what the agent has.";
    this.problem("field_invalid", this.#line("allowed-tools"), message);
    return undefined;
  }

  metadata(): Readonly<Record<string, string>> | undefined {
    const pair = this.#pairs.get("metadata");
    if (pair === undefined) return undefined;
    if (!isMap(pair.value)) {
      this.problem(
        "field_invalid",
        this.#line("metadata"),
        "metadata must be a map of texts: one `key: text` on each line.",
      );
      return undefined;
    }
    const entries: [string, string][] = [];
    for (const item of pair.value.items) {
      const key = isScalar(item.key) ? item.key.value : undefined;
      const value = isScalar(item.value) ? item.value.value : undefined;
      if (typeof key === "string" && typeof value === "string") {
        entries.push([key, value]);
        continue;
      }
      const name = shown(String(key ?? "?"));
      const advice =
        value === undefined || value === null ? "" : ` Put it in quotes: ${name}: "${shown(String(value))}".`;
      this.problem("field_invalid", this.#lineOf(item), `metadata: "${name}" must have a text.${advice}`);
    }
    return Object.fromEntries(entries);
  }

  #read(source: string): boolean {
    if (source.length > longestFrontMatter) {
      const message = `The front matter has ${source.length} characters. At most ${longestFrontMatter} are read.`;
      this.problem("front_matter_invalid", 2, message);
      return false;
    }
    const document = parseDocument(source, { lineCounter: this.#lines, prettyErrors: false, uniqueKeys: true });
    for (const { message, pos } of document.errors) {
      this.problem("front_matter_invalid", this.#lines.linePos(pos[0]).line + 1, `The YAML is invalid: ${message}.`);
    }
    if (document.errors.length > 0) return false;
    return this.#readFields(document);
  }

  #readFields({ contents }: Document.Parsed): boolean {
    if (!isMap(contents)) {
      this.problem("front_matter_invalid", 2, "The front matter must hold fields: `name: …` and `description: …`.");
      return false;
    }
    for (const pair of contents.items) {
      const field = isScalar(pair.key) ? String(pair.key.value) : "?";
      if (!fields.includes(field)) {
        const message = `"${shown(field)}" is no field of a skill. Put it below metadata, or leave it out; there are ${fields.join(", ")}.`;
        this.problem("field_unknown", this.#lineOf(pair), message);
        continue;
      }
      this.#pairs.set(field, pair);
    }
    return true;
  }

  #line(field: string): number {
    const pair = this.#pairs.get(field);
    return pair === undefined ? 1 : this.#lineOf(pair);
  }

  /** The front matter begins on the second line of the file. */
  #lineOf({ key }: Pair): number {
    const start = (key as { range?: readonly [number, number, number] } | null)?.range?.[0];
    return start === undefined ? 2 : this.#lines.linePos(start).line + 1;
  }
}

/** A tool, or a tool and which of its calls. A half of one, such as `Bash(git`, must not stand for the whole tool. */
function isEntry(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const [, calls = ""] = /^[^\s(),]+(\(.+\))?$/s.exec(value.trim()) ?? [undefined, ")"];
  let depth = 0;
  for (const [index, character] of [...calls].entries()) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (depth < 0 || (depth === 0 && index < calls.length - 1)) return false;
  }
  return depth === 0;
}

function shown(text: string): string {
  const line = text.replace(/\p{C}+/gu, " ");
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

function withoutUndefined(skill: Skill): Skill {
  return Object.fromEntries(Object.entries(skill).filter(([, value]) => value !== undefined)) as unknown as Skill;
}
