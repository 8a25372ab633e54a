import { checkOptions, flag, type OptionTable, required, whole } from "@cogency/protocol/options";
import { type FrontMatterField, type ReadField, shownText } from "./parse-front-matter.ts";

export interface TextFieldOptions {
  /** Characters that it may have. */
  most: number;
  /** Whether a text without the field is faulty. Defaults to false. */
  isRequired?: boolean | undefined;
}

const textFieldTable: OptionTable<TextFieldOptions> = { most: required(whole(1)), isRequired: flag };

/** A text, without blanks around it. */
export function textField(options: TextFieldOptions): FrontMatterField<string> {
  checkOptions<TextFieldOptions>("textField", options, textFieldTable);
  const { most, isRequired = false } = options;
  return {
    isRequired,
    read(value, field) {
      if (typeof value !== "string") return { wrong: `${field} must be a text.${quoted(field, value)}` };
      const trimmed = value.trim();
      if (trimmed === "")
        return { wrong: `${field} is empty.${isRequired ? "" : " Leave it out, or give it a text."}` };
      if (value.length > most)
        return { wrong: `${field} has ${value.length} characters. At most ${most} are allowed.` };
      return { value: trimmed };
    },
  };
}

/** A map of texts. */
export const textsField: FrontMatterField<Readonly<Record<string, string>>> = {
  read(value, field) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { wrong: `${field} must be a map of texts: one \`key: text\` on each line.` };
    const wrong = Object.entries(value).find(([, one]) => typeof one !== "string");
    if (wrong === undefined) return { value: value as Record<string, string> };
    const [key, one] = wrong;
    return { wrong: `${field}: "${shownText(key)}" must have a text.${quoted(shownText(key), one)}`, key };
  },
};

/**
 * Tools and patterns of their calls: `read Bash(git:*)`, separated by blanks or commas, which may stand inside of parentheses, or a
 * list of them.
 */
export const toolsField: FrontMatterField<readonly string[]> = {
  read(value, field): ReadField<readonly string[]> {
    const list = Array.isArray(value) ? value : typeof value === "string" ? entriesIn(value) : undefined;
    if (list?.every(isEntry)) return { value: list };
    return {
      wrong: `${field} must be a text such as: read Bash(git:*). Close each parenthesis; leave the field out to allow what the agent has.`,
    };
  },
};

function quoted(field: string, value: unknown): string {
  if (value === null || value === undefined || typeof value === "object") return "";
  return ` Put it in quotes: ${field}: "${shownText(String(value))}".`;
}

/** Splits at blanks and commas that stand outside of parentheses. */
export function entriesIn(text: string): string[] {
  const entries = [""];
  let depth = 0;
  for (const character of text) {
    if (depth === 0 && /[\s,]/.test(character)) {
      entries.push("");
      continue;
    }
    if (character === "(") depth++;
    if (character === ")") depth--;
    entries[entries.length - 1] += character;
  }
  return entries.filter((entry) => entry !== "");
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
