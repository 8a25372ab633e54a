import { isOptionName, optionRow } from "./option-table.ts";

/** Options by their names in camelCase, as they were typed. */
export type TypedOptions = Readonly<Record<string, unknown>>;

/** What belongs to one prompt, to one place of it, or to what one command prints. */
const ofOneCommand: ReadonlySet<string> = new Set([
  ...["attach", "conversation", "resume", "continue", "ephemeral", "store"],
  ...["schema", "json", "output", "answerFile", "quiet", "stream", "wait"],
]);

/** The words of a command line that give these options again. What belongs to one command only is left out. */
export function typedWords(typed: TypedOptions): string[] {
  return Object.entries(typed).flatMap(([name, value]) => {
    if (!isOptionName(name) || ofOneCommand.has(name) || value === undefined) return [];
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
