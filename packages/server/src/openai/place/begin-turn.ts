import type { Key, StoredEvent } from "@cogency/storage";
import type { Visit } from "../../bridge/index.ts";
import { Problem } from "../../problem.ts";
import type { OpenAIHandlerOptions } from "../openai-handler-options.ts";
import type { Asked } from "../said.ts";
import { WireProblem } from "../wire-problem.ts";
import { type Beginning, beginConversation } from "./begin-conversation.ts";
import { afterResponse, type Place, placeOf, stretchOf } from "./find-place.ts";
import { divided, outputsIn } from "./history.ts";
import { messageIds, newName, readCallId, readResponseId } from "./ids.ts";
import { type Before, messagesOf, settledCalls, wordsAfterResults } from "./messages.ts";
import type { OneAtATime } from "./one-at-a-time.ts";
import { resultsAt } from "./sent-again.ts";

/** A turn that has begun: its messages are stored. */
export interface BegunTurn {
  readonly key: Key;
  /** The ids of its messages; the first one is part of the id of the response. */
  readonly ids: readonly string[];
  /** What the sender may see of the conversation before. */
  readonly events: readonly StoredEvent[];
  readonly last: number;
}

interface Host extends Pick<OpenAIHandlerOptions, "agent" | "store"> {
  readonly places: OneAtATime;
}

/**
 * Of several requests that go on from one place, each sees what those before it have posted.
 *
 * @throws WireProblem, Problem
 */
export function beginTurn(host: Host, visit: Visit, asked: Asked): Promise<BegunTurn> {
  const place = placeOf(asked);
  const { user, conversation } = keyOf(visit, place.conversation, asked);
  return host.places.run(JSON.stringify([user ?? null, conversation]), () => beginAt(host, visit, asked, place));
}

async function beginAt(host: Host, visit: Visit, asked: Asked, place: Place): Promise<BegunTurn> {
  const again = await goOnAgain(host, visit, asked, place);
  const { key, events, last, contents, isOurs } = again ?? (await goOn(host, visit, asked, place));
  const ids = messageIds(newName(), contents.length);
  try {
    await visit.post(
      key,
      contents.map((content, index) => ({ id: ids[index] ?? "", content })),
    );
  } catch (error) {
    // Nobody knows the name of what was begun.
    if (isOurs && events.length > 0) await host.store.delete(key);
    throw problemOfWords(error, asked);
  }
  return { key, ids, events, last };
}

interface Start extends Beginning {
  readonly key: Key;
  /** The request has begun the conversation, under a name that no client knows. */
  readonly isOurs: boolean;
}

async function goOn(host: Host, visit: Visit, asked: Asked, { conversation, by }: Place): Promise<Start> {
  const named = asked.previous === undefined ? conversation : await afterResponse(host, visit, asked.previous);
  const before = await readBefore(host, visit, visit.keyOf(named));
  const isRepeated = by === "calls" && areSettled(asked, before);
  const isNew = isRepeated || before.events.length === 0;
  const key = visit.keyOf(isNew && by === "calls" ? newName() : named);
  if (!isNew) return { key, ...before, contents: messagesOf(asked, before), isOurs: false };
  return { key, ...(await beginConversation(host, visit, key, { ...asked, isRepeated })), isOurs: by !== "name" };
}

/** Goes on once more, in a copy, from results that the log has; undefined if the request brings none such. */
async function goOnAgain(
  { agent }: Host,
  visit: Visit,
  asked: Asked,
  { conversation, by }: Place,
): Promise<Start | undefined> {
  if (by === undefined || by === "name" || outputsIn(divided(asked.said).last).length === 0) return undefined;
  const { user, ...key } = visit.keyOf(conversation);
  const { events } = await visit.read({ user, ...key });
  const previous = asked.previous === undefined ? undefined : readResponseId(asked.previous);
  if (previous && stretchOf(events, previous.message)?.next === undefined) return undefined;
  const at = resultsAt(asked, events);
  if (at === undefined) return undefined;
  visit.countConversation();
  const copy = visit.keyOf(await agent.fork(key.conversation, { at, as: newName(), user }));
  return {
    key: copy,
    ...(await visit.read(copy)),
    contents: [{ kind: "notice", content: wordsAfterResults }],
    isOurs: true,
  };
}

function keyOf(visit: Visit, name: string, { conversation, param }: Asked): Key {
  try {
    return visit.keyOf(name);
  } catch (error) {
    if (!(error instanceof Problem) || conversation === undefined) throw error;
    const field = param === "input" ? "conversation" : "metadata.conversation";
    throw new WireProblem(error.code, error.message, { param: field, code: "invalid_value" });
  }
}

/** Reads the inbox first: a message that is not in it any more is in the log. */
async function readBefore({ store }: Host, visit: Visit, key: Key): Promise<Before & { last: number }> {
  const inbox = await store.inbox(key);
  return { inbox, ...(await visit.read(key)) };
}

/**
 * Whether all results that a request brings have come before, and it tells the calls, too: the client has lost the answer, and asks for
 * it again.
 */
function areSettled({ said }: Asked, already: Before): boolean {
  const { before, last } = divided(said);
  const told = new Set(before.flatMap((one) => (one.type === "call" ? one.id : [])));
  const settled = settledCalls(already);
  const outputs = outputsIn(last);
  return outputs.length > 0 && outputs.every(({ call }) => told.has(call) && settled.has(readCallId(call).id));
}

/** The agent has limits for the tools and attachments that words bring. Their field is named. */
function problemOfWords(error: unknown, { param }: Asked): unknown {
  if (!(error instanceof Problem) || error.code !== "invalid_request") return error;
  const { cause } = error;
  const isOfTools = cause instanceof Error && "code" in cause && ofTools.has(cause.code);
  return new WireProblem("invalid_request", error.message, {
    param: isOfTools ? "tools" : param,
    code: "invalid_value",
  });
}

const ofTools: ReadonlySet<unknown> = new Set(["invalid_option", "name_taken"]);
