import { isStoreError, type Key, type MessageContent, type StoredEvent } from "@cogency/storage";
import { checkedAttachments } from "@cogency/tools/host";
import type { Visit } from "../../bridge/index.ts";
import type { OpenAIHandlerOptions } from "../openai-handler-options.ts";
import type { Asked, Said } from "../said.ts";
import { WireProblem, wrong } from "../wire-problem.ts";
import { checkRounds, divided, joinedWords, outputsIn } from "./history.ts";
import { readCallId } from "./ids.ts";
import { messagesOf, wordsAfterResults } from "./messages.ts";
import { resolveReferences } from "./resolve-references.ts";
import { seedEvents } from "./seed.ts";

/** A conversation before the words that are to be posted. */
export interface Beginning {
  readonly events: readonly StoredEvent[];
  readonly last: number;
  readonly contents: readonly MessageContent[];
}

/**
 * Begins a conversation with what the client says came before, if anything did.
 *
 * @param asked `isRepeated`: the results have come before, and the client tells the calls
 * @throws WireProblem, Problem
 */
export async function beginConversation(
  { agent, store }: Pick<OpenAIHandlerOptions, "agent" | "store">,
  visit: Visit,
  key: Key,
  asked: Asked & { isRepeated: boolean },
): Promise<Beginning> {
  const { history, contents } = beginningOf({ ...asked, said: await resolveReferences(visit, asked.said) });
  if (history.length === 0) return { events: [], last: 0, contents };
  checkRounds(history);
  checkAttachments(history, asked);
  visit.countConversation();
  const seed = seedEvents(history, Date.now() / 1000);
  try {
    await store.append(key, seed, { expected: 0, scope: agent.scope });
  } catch (error) {
    if (!isStoreError(error) || error.code !== "conflict") throw error;
    throw new WireProblem("conflict", "Another request has begun this conversation at the same time. Try again.");
  }
  const { events, last } = await visit.read(key);
  return { events, last, contents };
}

/** What the agent checks in words that are said now. */
function checkAttachments(history: readonly Said[], { param }: Asked): void {
  for (const one of history) {
    if (one.type !== "words") continue;
    try {
      checkedAttachments(one.attachments, { maxBytes: Number.POSITIVE_INFINITY });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new WireProblem("invalid_request", error.message, { param, code: "invalid_value" });
    }
  }
}

/** What of a request is history, and what is said now. */
function beginningOf(asked: Asked & { isRepeated: boolean }): { history: readonly Said[]; contents: MessageContent[] } {
  const { before, last } = divided(asked.said);
  const tools = asked.tools.length > 0 ? { tools: asked.tools } : {};
  const outputs = outputsIn(last);
  const [foreign] = outputs;
  if (!foreign) return { history: before, contents: messagesOf(asked, { events: [], inbox: [] }) };
  const isTold = before.some((one) => one.type === "call");
  if (!isTold || (!asked.isRepeated && readCallId(foreign.call).conversation !== undefined))
    throw wrong(
      foreign.param,
      `no function call ${foreign.call.slice(0, 80)} waits for an output`,
      "tool_call_not_found",
    );
  // Calls that another server has announced, or whose answer was lost: their results are part of the history.
  const words = joinedWords(last);
  const attachments = words?.attachments.length ? { attachments: words.attachments } : {};
  const content: MessageContent = {
    kind: "prompt",
    content: words?.text || wordsAfterResults,
    ...attachments,
    ...tools,
  };
  return { history: [...before, ...outputs], contents: [content] };
}
