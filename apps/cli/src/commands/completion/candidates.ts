import type { Command, Option } from "commander";

/** Something that may stand where the cursor is. */
export interface Candidate {
  readonly text: string;
  readonly help: string;
}

/** What may be typed next: fixed words, or values that have to be looked up. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** `files`: the shell completes paths. The others are names that the caller looks up. */
  readonly values?: "files" | "conversations" | "models" | "tools" | "servers" | "serverTools";
  /** For `servers` the command that takes them, for `serverTools` the server. */
  readonly of?: string;
}

/**
 * What may follow on a command line, as the program is declared.
 *
 * @param words those before the cursor, without the name of the program; the last one is being typed, and may be empty
 */
export function completionOf(program: Command, words: readonly string[]): Completion {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? "";
  const { command, rest } = commandOf(program, before);
  // Without a command, a run is meant.
  const run = command === program ? program.commands.find((one) => one.name() === "run") : undefined;
  const options = [...command.options, ...(run?.options ?? [])].filter((option) => !option.hidden);
  const [, long, value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  if (long !== undefined && value !== undefined) {
    const option = options.find((one) => one.long === long);
    return option ? prefixed(valuesOf(option), `${long}=`) : { candidates: [] };
  }
  const last = before.at(-1);
  const open = last?.startsWith("-") ? options.find((one) => one.long === last || one.short === last) : undefined;
  if (open?.required || (open?.optional && !typed.startsWith("-"))) return valuesOf(open);
  if (typed.startsWith("-"))
    return { candidates: options.map((one) => ({ text: one.long ?? one.short ?? "", help: one.description })) };
  const isFirst = rest.length === 0;
  const commands = isFirst ? command.commands.filter((one) => !isHidden(one)) : [];
  const argument = argumentValues(command, rest);
  const named = commands.map((one) => ({ text: one.name(), help: one.description() }));
  return { ...argument, candidates: [...named, ...argument.candidates] };
}

/** The innermost command that the words name, and its arguments so far. */
function commandOf(program: Command, words: readonly string[]): { command: Command; rest: string[] } {
  let command = program;
  let rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word.startsWith("-")) {
      const option = command.options.find((one) => one.long === word || one.short === word);
      // Its value is the next word.
      if (option?.required) at++;
      continue;
    }
    const inner = rest.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (inner) command = inner;
    else rest = [...rest, word];
  }
  return { command, rest };
}

function valuesOf(option: Option): Completion {
  if (option.argChoices) return { candidates: option.argChoices.map((text) => ({ text, help: "" })) };
  return { candidates: [], ...namedValues(/[<[]([\w-]+)/.exec(option.flags)?.[1] ?? "", option.long ?? "") };
}

function argumentValues(command: Command, before: readonly string[]): Completion {
  const all = command.registeredArguments;
  const argument = all[before.length] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  if (argument === undefined) return { candidates: [] };
  if (argument.argChoices) return { candidates: argument.argChoices.map((text) => ({ text, help: "" })) };
  const name = argument.name();
  if (name === "server") return { candidates: [], values: "servers", of: command.name() };
  if (name === "tool" && all[before.length - 1]?.name() === "server")
    return { candidates: [], values: "serverTools", of: before.at(-1) ?? "" };
  return { candidates: [], ...namedValues(name, "") };
}

/** The names of arguments say what stands there. */
function namedValues(name: string, option: string): Pick<Completion, "values"> {
  if (/^conversations?$/.test(name) || option === "--conversation") return { values: "conversations" };
  if (option === "--model") return { values: "models" };
  if (name === "tool" || option === "--tools") return { values: "tools" };
  if (/^(file|folder|path|place|glob)$/.test(name)) return { values: "files" };
  return {};
}

function prefixed({ candidates, values }: Completion, prefix: string): Completion {
  return { candidates: candidates.map(({ text, help }) => ({ text: prefix + text, help })), ...(values && { values }) };
}

function isHidden(command: Command): boolean {
  return command.name().startsWith("_");
}
