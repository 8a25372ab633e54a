import type { FinishReason, Usage } from "@cogency/protocol";
import { isObject, stringOf } from "@cogency/provider/http";

/** The end of an answer. */
export interface Finish {
  type: "finish";
  /** `error`: the model failed. `interrupted`: its server did not say that the answer is complete. */
  reason: FinishReason | "error" | "interrupted";
  raw: string;
  usage?: Usage | undefined;
}

/** Reads a finish reason: a word in specification v2, and since v3 a word with that of the server. */
export function readFinish(given: unknown): Pick<Finish, "reason" | "raw"> {
  const word = stringOf(isObject(given) ? given.unified : given);
  const raw = isObject(given) ? stringOf(given.raw) : "";
  const isUnsaid = isObject(given) ? word === "other" && raw === "" : word === "unknown";
  // What models of v2 and v3 say of an answer that its server did not end has a word of its own since v4.
  if (isUnsaid || word === "" || word === "interrupted") return { reason: "interrupted", raw: raw || word };
  return { reason: reasons[word] ?? "other", raw: raw || word };
}

const reasons: Readonly<Record<string, FinishReason | "error">> = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
  error: "error",
};
