import type { StoredEvent } from "@cogency/storage";
import type { Visit } from "../../bridge/index.ts";
import type { OpenAIHandlerOptions } from "../openai-handler-options.ts";
import type { Asked } from "../said.ts";
import { WireProblem, wrong } from "../wire-problem.ts";
import { decisionsIn, divided, outputsIn } from "./history.ts";
import { isOfRequest, newName, readApprovalId, readCallId, readResponseId } from "./ids.ts";

/** Where the words of a request go on. */
export interface Place {
  readonly conversation: string;
  /** How the request itself names it: by its name, or by ids of a response, calls or questions. Absent for a new one. */
  readonly by?: "name" | "response" | "calls";
}

type Forking = Pick<OpenAIHandlerOptions, "agent" | "store">;

/**
 * Says which conversation a request is about: the one that it names, the one of the response that it goes on from, or the one whose calls
 * and questions it answers. Otherwise it gets a new one.
 *
 * @throws WireProblem for ids of several conversations
 */
export function placeOf({ conversation: name, previous, said }: Asked): Place {
  if (name !== undefined) return { conversation: name, by: "name" };
  if (previous !== undefined)
    return { conversation: readResponseId(previous)?.conversation ?? newName(), by: "response" };
  const { last } = divided(said);
  const named = [
    ...outputsIn(last).map(({ call, param }) => ({ param, ...readCallId(call) })),
    ...decisionsIn(last).map(({ request, param }) => ({ param, ...readApprovalId(request) })),
  ];
  const [first] = named;
  const other = named.find(({ conversation }) => conversation !== first?.conversation);
  if (other) throw wrong(other.param, "its id belongs to another conversation than those before it");
  const conversation = first?.conversation;
  return conversation === undefined ? { conversation: newName() } : { conversation, by: "calls" };
}

/**
 * The conversation to go on with after a response: its own, or a copy up to there if that has gone on, or has taken words to go on with.
 *
 * @throws WireProblem for a response that is not there; Problem
 */
export async function afterResponse({ agent, store }: Forking, visit: Visit, previous: string): Promise<string> {
  const place = readResponseId(previous);
  const key = place && visit.keyOf(place.conversation);
  const inbox = key ? await store.inbox(key) : [];
  const { events, last } = key ? await visit.read(key) : { events: [], last: 0 };
  const stretch = place && stretchOf(events, place.message);
  if (!key || !stretch) {
    throw new WireProblem("not_found", `There is no response with the id ${previous.slice(0, 80)}.`, {
      param: "previous_response_id",
      code: "previous_response_not_found",
    });
  }
  const waits = inbox.some(({ id, message }) => beginning.has(message.kind) && !isOfRequest(id, place.message));
  if (stretch.next === undefined && !waits) return key.conversation;
  visit.countConversation();
  const at = (stretch.next ?? last + 1) - 1;
  try {
    return await agent.fork(key.conversation, { at, as: newName(), user: key.user });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw wrong("previous_response_id", "its calls have been answered since; go on from a later response");
  }
}

/** The numbers of the events between which a request was answered. `next` is that of the first event of the next request; absent for the last. */
export interface Stretch {
  readonly first: number;
  readonly next?: number;
}

/** Where the answer to the request stands whose first message has this id. Undefined if no run has read it. */
export function stretchOf(events: readonly StoredEvent[], message: string): Stretch | undefined {
  const taken = events.flatMap((event) =>
    event.type === "record" && event.kind === "message" && beginning.has(event.data.kind)
      ? { seq: event.seq, isOurs: isOfRequest(event.data.id, message) }
      : [],
  );
  const first = taken.findIndex(({ isOurs }) => isOurs);
  if (first === -1) return undefined;
  const next = taken.slice(first).find(({ isOurs }) => !isOurs);
  return { first: taken[first]?.seq ?? 0, ...(next && { next: next.seq }) };
}

/** The messages that begin another stretch of the conversation. */
export const beginning: ReadonlySet<string> = new Set(["prompt", "notice", "approve", "deny", "answer"]);
