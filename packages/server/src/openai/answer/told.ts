import type { JsonObject } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import type { Change } from "../../bridge/index.ts";

/** The line that says that a call of a tool of the agent begins. */
export function lineOfCall(name: string, args: JsonObject): string {
  return `${name} ${short(JSON.stringify(args))}`;
}

/** The line that says that a call did not do what it should. Undefined for one that did, and for one whose block was refused: it never began. */
export function lineOfEnd(
  { name, outcome, result }: Change & { type: "call_end" },
  args: JsonObject,
): string | undefined {
  if (outcome === "refused" || outcome === "success") return undefined;
  const why = typeof result?.content === "string" ? `: ${short(result.content)}` : "";
  return `${lineOfCall(name, args)} ${outcome === "denied" ? "was denied" : "failed"}${why}`;
}

/** What the answer says of a question for which the wire has no place. */
export function wordsOfQuestion({ name, agents = [], asks, args = {}, message, concerns }: QuestionPart): string {
  const who = [...agents, name].join(" › ");
  if (asks === "answer") return `${who} asks: ${message ?? ""}\n(This waits for an answer in the application.)`;
  const why = concerns.map((concern) => concern.why).join(" ");
  return `${lineOfCall(who, args)} waits for approval in the application.${why === "" ? "" : ` ${why}`}`;
}

const most = 300;

/** One line, of which the beginning is enough. */
function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()}…`;
}
