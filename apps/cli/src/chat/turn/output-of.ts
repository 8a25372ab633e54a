import type { Json, ToolResult } from "@cogency/protocol";

/** What a command printed, or the text of another result, as far as it has one. */
export function outputOf({ status, content }: ToolResult): string {
  if (typeof content === "string") return (status === "failure" ? content.replace(ending, "") : content).trimEnd();
  if (typeof content !== "object" || content === null || Array.isArray(content)) return "";
  const { text, stdout, stderr } = content;
  return [text, stdout, stderr]
    .flatMap((part) => (typeof part === "string" && part.trim() !== "" ? [part.trimEnd()] : []))
    .join("\n");
}

/** The line with which the message of a failed command begins. */
const ending = /^(?:exit code \d+|ended by SIG\w+)\n(?:(?:set aside: .*\n)?runs later: .*\n.*\n)?(?:stdout:\n)?/;

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

/** All of a result: its text, else its JSON. */
export function fullOutputOf(result: ToolResult): string {
  return outputOf(result) || indented(result.content);
}

function indented(content: Json): string {
  return typeof content === "string" ? content : JSON.stringify(content, undefined, 2);
}
