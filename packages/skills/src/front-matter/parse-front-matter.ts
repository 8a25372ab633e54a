import {
  callback,
  checkOption,
  checkOptions,
  flag,
  name,
  type OptionTable,
  object,
  required,
  text as textOption,
} from "@cogency/protocol/options";
import type { Entry } from "./entry.ts";
import { plainEntries } from "./plain-entries.ts";
import { yamlEntries } from "./yaml-entries.ts";

/**
 * - `front_matter_missing`, `front_matter_invalid`: the text does not begin with YAML between two lines `---`
 * - `field_unknown`, `field_missing`, `field_invalid`: about one field of the front matter
 * - `text_empty`: there is nothing below the front matter
 */
export type FrontMatterProblemCode =
  | "front_matter_missing"
  | "front_matter_invalid"
  | "field_unknown"
  | "field_missing"
  | "field_invalid"
  | "text_empty";

/** What is wrong with a text. */
export interface FrontMatterProblem {
  readonly code: FrontMatterProblemCode;
  /** The line of the file, counted from 1. */
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

/** What a field says, or what is wrong with it and what to write instead: a sentence, about one key of a map if `key` names it. */
export type ReadField<Value> = { readonly value: Value } | { readonly wrong: string; readonly key?: string };

/** One field that a front matter may have. */
export interface FrontMatterField<Value> {
  /** Whether a text without the field is faulty. */
  readonly isRequired?: boolean;
  /** @param value a text, a number, a boolean, null, or arrays and objects of them; undefined for YAML that is none of these, such as an alias */
  read(value: unknown, field: string): ReadField<Value>;
}

export interface FrontMatterFormat<Values extends object> {
  /** What the file is, as in "no field of a skill": `skill`. */
  readonly kind: string;
  readonly fields: { readonly [Field in keyof Values]: FrontMatterField<NonNullable<Values[Field]>> };
  /** Why a text with an unknown field is faulty, or undefined where the field is harmless. Defaults to: every unknown field is a fault. */
  unknown?(field: string, value: unknown): string | undefined;
  /** Whether a text without any front matter is one without fields. Defaults to false. */
  readonly isOptional?: boolean;
}

/** What a text says. The values count only if there are no problems. */
export interface FrontMatter<Values extends object> {
  /** Those of the fields that the text has, as far as they are valid. */
  readonly values: Partial<Values>;
  /** The names of the unknown fields that are no fault. */
  readonly ignored: readonly string[];
  /** What stands below the front matter, without blanks around it. */
  readonly text: string;
  /** In the order of their lines; the first 50. */
  readonly problems: readonly FrontMatterProblem[];
}

/** Characters of front matter. What a file needs is a page; more is an attack on the parser, whose time grows with the square, or on the prompt. */
const longestFrontMatter = 16_384;

/**
 * Reads a text that begins with fields in YAML between two lines `---`. Reports every fault, each with its line. Any text gives an
 * answer, and no alias is expanded.
 */
export function parseFrontMatter<Values extends object>(
  text: string,
  format: FrontMatterFormat<Values>,
): FrontMatter<Values> {
  checkOption("parseFrontMatter", "text", text, required(textOption));
  checkOptions<FrontMatterFormat<object>>("parseFrontMatter", format, formatTable);
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const begins = lines[0]?.trimEnd() === "---";
  if (!begins && format.isOptional === true) return withoutFields(lines);
  const end = begins ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---") : -1;
  if (end === -1) return { values: {}, ignored: [], text: "", problems: [missing(format)] };
  const reading = new Reading(format, lines.slice(1, end).join("\n"));
  const body = lines
    .slice(end + 1)
    .join("\n")
    .trim();
  if (body === "" && reading.isReadable) reading.problem("text_empty", end + 2, emptyText);
  return {
    values: reading.values,
    ignored: reading.ignored,
    text: body,
    problems: reading.problems.toSorted((a, b) => a.line - b.line).slice(0, mostProblems),
  };
}

const formatTable: OptionTable<FrontMatterFormat<object>> = {
  kind: required(name),
  fields: required(object),
  unknown: callback,
  isOptional: flag,
};

/** Of one text: a person mends the first ones, and an attack is not answered with a flood. */
const mostProblems = 50;

const emptyText = "There are no instructions below the front matter. Write what to do.";

function withoutFields<Values extends object>(lines: readonly string[]): FrontMatter<Values> {
  const text = lines.join("\n").trim();
  const message = "There is no text. Write what to do.";
  return { values: {}, ignored: [], text, problems: text === "" ? [{ code: "text_empty", line: 1, message }] : [] };
}

function missing<Values extends object>({ fields }: FrontMatterFormat<Values>): FrontMatterProblem {
  const required = Object.entries<FrontMatterField<unknown>>(fields).flatMap(([name, field]) =>
    field.isRequired ? [name] : [],
  );
  const needed = required.length === 0 ? "" : `, with ${required.join(" and ")}`;
  const message = `The first line must be "---", and a line "---" must end the front matter${needed}.`;
  return { code: "front_matter_missing", line: 1, message };
}

/** The front matter begins on the second line of the file. */
class Reading<Values extends object> {
  readonly problems: FrontMatterProblem[] = [];
  readonly ignored: string[] = [];
  readonly values: Partial<Values> = {};
  readonly isReadable: boolean;
  readonly #format: FrontMatterFormat<Values>;

  constructor(format: FrontMatterFormat<Values>, source: string) {
    this.#format = format;
    const entries = this.#entriesOf(source);
    this.isReadable = !!entries;
    if (entries) this.#read(entries);
  }

  problem(code: FrontMatterProblemCode, line: number, message: string): void {
    this.problems.push({ code, line, message });
  }

  #entriesOf(source: string): readonly Entry[] | null | undefined {
    if (source.length > longestFrontMatter) {
      const message = `The front matter has ${source.length} characters. At most ${longestFrontMatter} are read.`;
      this.problem("front_matter_invalid", 2, message);
      return undefined;
    }
    const read =
      plainEntries(source) ??
      yamlEntries(source, (line, message) =>
        this.problem("front_matter_invalid", line + 1, `The YAML is invalid: ${message}.`),
      );
    if (read || this.problems[0]) return read;
    const fields = Object.values<FrontMatterField<unknown>>(this.#format.fields);
    if (read === null && fields.every((one) => !one.isRequired)) return [];
    this.problem("front_matter_invalid", 2, `The front matter must hold fields: one "name: …" on each line.`);
    return undefined;
  }

  #read(entries: readonly Entry[]): void {
    const { fields, kind, unknown } = this.#format;
    const table: Readonly<Record<string, FrontMatterField<unknown>>> = fields;
    const found = new Set<string>();
    for (const { field, value, line, lineOf } of entries) {
      const read = Object.hasOwn(table, field) && table[field]?.read(value, field);
      if (read) {
        found.add(field);
        if ("wrong" in read) this.problem("field_invalid", (lineOf?.(read.key) ?? line) + 1, read.wrong);
        else Object.assign(this.values, { [field]: read.value });
        continue;
      }
      const usual = `"${shownText(field)}" is no field of a ${kind}. There are ${Object.keys(fields).join(", ")}.`;
      const message = unknown === undefined ? usual : unknown(field, value);
      if (message === undefined) this.ignored.push(field);
      else this.problem("field_unknown", line + 1, message);
    }
    for (const [field, { isRequired }] of Object.entries(table))
      if (isRequired && !found.has(field))
        this.problem("field_missing", 1, `The front matter lacks ${field}. Add a line "${field}: …".`);
  }
}

/** A text of a file as a message shows it: one line, at most 80 characters. */
export function shownText(text: string): string {
  const line = text.replace(/\p{C}+/gu, " ");
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
