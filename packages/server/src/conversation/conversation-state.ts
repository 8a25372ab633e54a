import { partsOf } from "@cogency/protocol/parts";
import type { StoredEvent, StoredMessage } from "@cogency/storage";
import { beginsTurn } from "@cogency/storage/adapter";
import { openQuestions } from "./open-questions.ts";

/**
 * - `parked`: nothing goes on until somebody who runs the service releases the conversation; its last notice says why
 * - `waiting`: a question is open, and no answer to it waits in the inbox
 * - `running`: a turn has begun that has not ended, or words wait for the next one: a run is at work, or a worker begins one
 * - `idle`: none of these
 */
export type ConversationState = "idle" | "running" | "waiting" | "parked";

/**
 * Says what a conversation does, by its log and its inbox alone. Who holds its lease cannot be asked: so a turn whose run has failed
 * without a worker, which would have left a notice, counts as running until somebody goes on with it.
 *
 * @param recent the end of the log (`recentEvents`)
 * @param copied the number of its events that a fork has copied: nothing goes on with those by itself
 */
export function stateOf(
  recent: readonly StoredEvent[],
  inbox: readonly StoredMessage[],
  copied: number,
): ConversationState {
  const last = partsOf(recent).at(-1);
  const notice = last?.type === "notice" && last.open ? last : undefined;
  if (notice?.parked) return "parked";
  const questions = openQuestions(recent);
  const answered = new Set(inbox.map(({ message }) => ("question" in message ? message.question : undefined)));
  if (questions.some(({ id }) => !answered.has(id))) return "waiting";
  if (questions.length > 0 || inbox.some(({ message }) => message.kind === "steer" || beginsTurn(message)))
    return "running";
  // A failure that the next message tries again.
  if (notice && notice.retryAt === undefined) return "idle";
  return isOpenTurn(recent, copied) ? "running" : "idle";
}

function isOpenTurn(recent: readonly StoredEvent[], copied: number): boolean {
  const last = recent.findLast((event) => event.type !== "record" || event.kind === "run");
  return last !== undefined && last.seq > copied && last.type !== "record" && last.type !== "cancelled";
}
