import type { Json, ToolCall } from "@cogency/protocol";
import { counted, oneLine, revealed } from "../../base/terminal/text.ts";
import { agentOf } from "../show/agent-paths.ts";

/** What most calls are about; it needs no name. */
const subjects = ["command", "file", "path", "url", "query", "pattern"];

/** Shown as a diff, once the call has run. */
const changes: ReadonlySet<string> = new Set(["edits", "content"]);

/**
 * The arguments of a call on one line of at most `width` characters: `src/main.ts, from: 20, to: 40`. Of a subject of several lines, such
 * as a script, the first one is shown, and how many more there are.
 */
export function callText({ args }: Pick<ToolCall, "args">, width: number): string {
  const agent = agentOf(args);
  if (agent !== undefined) return shortened(`${agent}: ${String(args.prompt).trim()}`, width);
  const names = Object.keys(args);
  const subject = subjects.find((name) => typeof args[name] === "string");
  const others = names.filter((name) => name !== subject && !(subject !== undefined && changes.has(name)));
  const [first = "", ...more] = subject === undefined ? [] : String(args[subject]).trim().split("\n");
  const rest = [
    ...(more.length > 0 ? [` (+${counted(more.length, "line")})`] : []),
    ...others.map((name, at) => {
      const separator = subject === undefined && at === 0 ? "" : ", ";
      return `${separator}${name}: ${valueText(args[name] ?? null)}`;
    }),
  ].join("");
  if (more.length === 0) return shortened(first + rest, width);
  return shortened(shortened(first, Math.max(8, width - rest.length)) + rest, width);
}

function shortened(text: string, width: number): string {
  return oneLine(revealed(text.slice(0, width * 4)), width);
}

function valueText(value: Json): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}
