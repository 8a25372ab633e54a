import type { Json, JsonObject, ToolResult } from "@cogency/protocol";
import { argumentLines } from "./argument-lines.ts";

/** What a command printed, or the text of another result; empty where it has none. */
export function outputOf({ status, content }: ToolResult): string {
  if (status === "failure") return failedCommand(content)?.printed ?? "";
  return typeof content === "string" ? content.trimEnd() : textsIn(content);
}

/** How a command ended that failed, and what it printed; undefined for another failure. */
export function failedCommand(content: Json): { ending: string; printed: string } | undefined {
  if (typeof content !== "string") return undefined;
  const [head, ending] = exited.exec(content) ?? [];
  if (head !== undefined && ending !== undefined) return { ending, printed: content.slice(head.length).trimEnd() };
  const [, cancelled, stopped, json = ""] = wasStopped.exec(content) ?? [];
  return stopped === undefined ? undefined : { ending: cancelled ?? stopped, printed: textsIn(parsed(json)) };
}

/** What the sandbox tells stands between the ending and what was printed, and ends with one line that advises the model. */
const exited =
  /^(exit code \d+|ended by SIG\w+)\n(?:(?:set aside: .*\n(?:runs later: .*\n)?|runs later: .*\n).*(?:\n|$))?(?:(?:stdout|stderr):\n)?/;

/** The words of the tool, which the executor puts into a sentence of its own where the run was cancelled. */
const wasStopped = /^(?:shell (was cancelled): )?(".*?" was ended .*?) Until then it printed: (\{.*\})\.?$/s;

/** All of a result: its text, else its values, a line each. */
export function fullOutputOf(result: ToolResult): string {
  return outputOf(result) || valuesOf(result.content);
}

function textsIn(content: Json): string {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return "";
  const { text, stdout, stderr } = content;
  return [text, stdout, stderr]
    .flatMap((part) => (typeof part === "string" && part.trim() !== "" ? [part.trimEnd()] : []))
    .join("\n");
}

function parsed(json: string): Json {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** The files that the sandbox set aside after a command that failed, as its error names them; the summary of others has them. */
export function asideOf({ status, content }: ToolResult): string | undefined {
  if (status !== "failure" || typeof content !== "string") return undefined;
  return /^(?:exit code \d+|ended by SIG\w+)\nset aside: (.*)/.exec(content)?.[1];
}

/** The files that a command changed and that make something run later, as its result or its error names them. */
export function laterOf({ status, content }: ToolResult): string[] {
  if (status === "failure" && typeof content === "string") {
    const line = /^(?:exit code \d+|ended by SIG\w+)\n(?:set aside: .*\n)?runs later: (.*)$/m.exec(content)?.[1];
    return line === undefined ? [] : [line];
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) return [];
  const { runsLater } = content;
  return Array.isArray(runsLater) ? runsLater.filter((file) => typeof file === "string") : [];
}

function valuesOf(content: Json): string {
  if (typeof content === "string") return content;
  if (typeof content !== "object" || content === null || Array.isArray(content))
    return JSON.stringify(content, undefined, 2);
  return argumentLines({ args: content as JsonObject }).join("\n");
}
