import type { Key, MessageContent, StoredEvent } from "@cogency/storage";
import type { Visit } from "../../bridge/index.ts";
import { Problem } from "../../problem.ts";
import type { OpenAIOptions } from "../openai-options.ts";
import type { Asked, Said } from "../said.ts";
import { WireProblem, wrong } from "../wire-problem.ts";
import { findPlace } from "./find-place.ts";
import { checkRounds, divided, joinedWords, outputsIn } from "./history.ts";
import { messageIds, newName, readCallId } from "./ids.ts";
import { messagesOf } from "./messages.ts";
import { resolveReferences } from "./resolve-references.ts";
import { seedEvents } from "./seed.ts";

/** A turn that has begun: its messages are stored. */
export interface BegunTurn {
  readonly key: Key;
  /** The ids of its messages; the first one is part of the id of the response. */
  readonly ids: readonly string[];
  /** What the sender may see of the conversation before. */
  readonly events: readonly StoredEvent[];
  readonly last: number;
  /** The request has begun the conversation. */
  readonly isNew: boolean;
}

/** @throws WireProblem, Problem */
export async function beginTurn(
  host: Pick<OpenAIOptions, "agent" | "store">,
  visit: Visit,
  asked: Asked,
): Promise<BegunTurn> {
  const { conversation, isNamed } = await findPlace(host, visit, asked);
  const key = visit.keyOf(conversation);
  const before = isNamed ? await visit.read(key) : { events: [], last: 0 };
  const begun = before.events.length > 0 ? { ...before, contents: messagesOf(asked, before.events) } : undefined;
  const { events, last, contents } = begun ?? (await beginConversation(host, visit, key, asked));
  const ids = messageIds(newName(), contents.length);
  try {
    await visit.post(
      key,
      contents.map((content, index) => ({ id: ids[index] ?? "", content })),
    );
  } catch (error) {
    // Nobody knows the name of what was begun.
    if (!isNamed && events.length > 0) await host.store.delete(key);
    throw problemOfWords(error, asked);
  }
  return { key, ids, events, last, isNew: begun === undefined };
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

interface Beginning {
  readonly events: readonly StoredEvent[];
  readonly last: number;
  readonly contents: readonly MessageContent[];
}

/** Begins a conversation with what the client says came before, if anything did. */
async function beginConversation(
  { agent, store }: Pick<OpenAIOptions, "agent" | "store">,
  visit: Visit,
  key: Key,
  asked: Asked,
): Promise<Beginning> {
  const { history, contents } = beginningOf({ ...asked, said: await resolveReferences(visit, asked.said) });
  if (history.length === 0) return { events: [], last: 0, contents };
  checkRounds(history);
  visit.countConversation();
  const seed = seedEvents(history, Date.now() / 1000);
  await store.append(key, seed, { expected: 0, scope: agent.scope });
  const { events, last } = await visit.read(key);
  return { events, last, contents };
}

/** What of a request is history, and what is said now. */
function beginningOf(asked: Asked): { history: readonly Said[]; contents: MessageContent[] } {
  const { before, last } = divided(asked.said);
  const tools = asked.tools.length > 0 ? { tools: asked.tools } : {};
  const outputs = outputsIn(last);
  const [foreign] = outputs;
  if (!foreign) return { history: before, contents: messagesOf(asked, []) };
  const isTold = before.some((one) => one.type === "call");
  if (!isTold || readCallId(foreign.call).conversation !== undefined)
    throw wrong(
      foreign.param,
      `no function call ${foreign.call.slice(0, 80)} waits for an output`,
      "tool_call_not_found",
    );
  // Calls that another server has announced: their results are part of the history.
  const words = joinedWords(last);
  const attachments = words?.attachments.length ? { attachments: words.attachments } : {};
  const content: MessageContent = { kind: "prompt", content: words?.text || goOn, ...attachments, ...tools };
  return { history: [...before, ...outputs], contents: [content] };
}

const goOn = "The results of these calls have come. Go on.";
