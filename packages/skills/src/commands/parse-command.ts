import { checkOption, required, text as textOption } from "@cogency/protocol/options";
import { textField, toolsField } from "../front-matter/fields.ts";
import { type FrontMatterField, parseFrontMatter, shownText } from "../front-matter/parse-front-matter.ts";
import type { Command, CommandProblem } from "./command.ts";

/** A command, or why the text is none: exactly one of the two has something. */
export interface ParsedCommand {
  readonly command?: Command;
  readonly problems: readonly CommandProblem[];
}

interface Values {
  description: string;
  "argument-hint": string;
  "allowed-tools": readonly string[];
  "read-only": boolean;
  agent: "build" | "plan";
}

/** What other agents know and what changes nothing here: the model of the conversation answers, in the conversation. */
const harmless: readonly string[] = [
  ...["model", "subtask", "effort", "disable-model-invocation", "user-invocable", "name", "id", "title"],
  ...["version", "author", "license", "category", "tags", "metadata"],
];

/**
 * Reads the text of a command. It may begin with front matter: `description`, `argument-hint`, `allowed-tools`, `read-only`, and of
 * other agents `agent: plan`, which means read-only too. Reports every fault, each with its line. A field that might forbid something,
 * or run something, is a fault, because it would be left out here.
 *
 * @param name how it is called: `fix`, or `team/fix`
 */
export function parseCommand(text: string, name: string): ParsedCommand {
  checkOption("parseCommand", "text", text, required(textOption));
  checkOption("parseCommand", "name", name, required(textOption));
  const { values, text: body, ignored, problems } = parseFrontMatter<Values>(text, format);
  const all: CommandProblem[] = isCommandName(name)
    ? [...problems]
    : [{ code: "name_invalid", line: 1, message: wrongName(name) }, ...problems];
  if (all.length > 0) return { problems: all };
  const { description = firstLine(body), "argument-hint": argumentHint, "allowed-tools": allowedTools, agent } = values;
  const isReadOnly = values["read-only"] === true || agent === "plan";
  return {
    command: {
      name,
      description,
      text: body,
      ...(argumentHint !== undefined && { argumentHint }),
      ...(allowedTools !== undefined && { allowedTools }),
      ...(isReadOnly && { isReadOnly }),
      ...(ignored.length > 0 && { ignored }),
    },
    problems: [],
  };
}

const hint = textField({ most: 200 });

/** Some write `[file]` without quotes, which is a list in YAML. */
const hintField: FrontMatterField<string> = {
  read(value, field) {
    const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
    return hint.read(isList ? value.map((one) => `[${one}]`).join(" ") : value, field);
  },
};

const flagField: FrontMatterField<boolean> = {
  read: (value, field) => (typeof value === "boolean" ? { value } : { wrong: `${field} must be true or false.` }),
};

const agentField: FrontMatterField<"build" | "plan"> = {
  read(value) {
    if (value === "build" || value === "plan") return { value };
    return {
      wrong: "agent: only build and plan are known here. Another one would work with other tools: leave it out.",
    };
  },
};

const fields = {
  description: textField({ most: 1024 }),
  "argument-hint": hintField,
  "allowed-tools": toolsField,
  "read-only": flagField,
  agent: agentField,
};

const format = {
  kind: "command",
  isOptional: true,
  fields,
  unknown: (field: string) =>
    harmless.includes(field)
      ? undefined
      : `"${shownText(field)}" is no field of a command. Leave it out; there are ${Object.keys(fields).join(", ")}.`,
};

function firstLine(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  const plain = line.replace(/^[#>\s]+/, "").trim();
  return plain.length > 100 ? `${plain.slice(0, 100).toWellFormed().trimEnd()}…` : plain;
}

/** Whether a command can have this name. */
export function isCommandName(name: string): boolean {
  return name.length <= 64 && /^[a-z\d][a-z\d_-]*(?:\/[a-z\d][a-z\d_-]*)*$/i.test(name);
}

function wrongName(name: string): string {
  return `"${shownText(name)}" cannot be typed after a slash. Name the file, and the folders that it is in, with letters, digits, "-" and "_", 64 at most.`;
}
