import type { TurnEnding } from "../../bridge/index.ts";
import { WireProblem } from "../wire-problem.ts";

/** Why an answer is not complete; undefined for one that is. */
export type Incomplete = "length" | "content_filter";

/** A turn that a limit or a filter has ended, in the words of the wire. Other stops, such as by a tool, count as an end. */
export function incompleteOf({ status, code = "", message = "" }: TurnEnding): Incomplete | undefined {
  if (status === "cancelled" || status === "waiting") return undefined;
  if (code === "finish_reason") return message.includes("content filter") ? "content_filter" : "length";
  return code === "retry_limit" || code.endsWith("_limit") ? "length" : undefined;
}

/** What the client is told of a turn that failed; undefined for one that did not. A try again would begin the turn again: only a person may. */
export function failureOf({ status, code, message }: TurnEnding): WireProblem | undefined {
  if (status !== "failed" && status !== "parked") return undefined;
  // Somebody else has settled the question first, or a hook of the host wants no such words.
  if (code === "refused" && message !== undefined) return new WireProblem("invalid_request", message, { code });
  const text = message ?? "The agent could not answer.";
  return new WireProblem("internal", text, { code: code ?? status, headers: { "x-should-retry": "false" } });
}
