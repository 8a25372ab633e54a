import type { Json, ToolCall } from "@cogency/protocol";
import { oneLine, revealed } from "../../base/terminal/text.ts";

/** What most calls are about; it needs no name. */
const subjects = ["command", "file", "path", "url", "query", "pattern"];

/** Shown as a diff, once the call has run. */
const changes: ReadonlySet<string> = new Set(["edits", "content"]);

/** The arguments of a call on one line of at most `width` characters: `src/main.ts, from: 20, to: 40`. */
export function callText({ args }: Pick<ToolCall, "args">, width: number): string {
  const names = Object.keys(args);
  const subject = subjects.find((name) => typeof args[name] === "string");
  const others = names.filter((name) => name !== subject && !(subject !== undefined && changes.has(name)));
  const words = [
    ...(subject === undefined ? [] : [String(args[subject])]),
    ...others.map((name) => `${name}: ${valueText(args[name] ?? null)}`),
  ];
  return oneLine(revealed(words.join(", ").slice(0, width * 4)), width);
}

function valueText(value: Json): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}
