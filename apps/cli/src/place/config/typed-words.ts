import { isOptionName, optionRow } from "./option-table.ts";

/** Options by their names in camelCase, as they were typed. */
export type TypedOptions = Readonly<Record<string, unknown>>;

/** What belongs to one prompt, to one place of it, to what one command prints, or was allowed for one time. */
const ofOneCommand: ReadonlySet<string> = new Set([
  ...["attach", "conversation", "resume", "continue", "ephemeral", "store"],
  ...["schema", "json", "output", "answerFile", "quiet", "stream", "wait", "yes"],
]);

/**
 * The words of a command line that give these options again. What belongs to one command only is left out, and so is leave to run
 * everything without a question: nobody should give it again by copying a line.
 */
export function typedWords(typed: TypedOptions): string[] {
  return Object.entries(typed).flatMap(([name, value]) => {
    if (!isOptionName(name) || ofOneCommand.has(name) || value === undefined) return [];
    if (name === "mode" && value === "yes") return [];
    const [flag = ""] = /--[\w-]+/.exec(optionRow(name).flags) ?? [];
    if (typeof value === "boolean") return [flag];
    const values = name === "tools" ? [String(value)] : [value].flat();
    return values.flatMap((one) => [flag, String(one)]);
  });
}

/** The options that have another value now; undefined for one that is left out. */
export function changedOptions(before: TypedOptions, now: TypedOptions): TypedOptions {
  const names = Object.keys({ ...before, ...now }).filter((name) => before[name] !== now[name]);
  return Object.fromEntries(names.map((name) => [name, now[name]]));
}
