import type { LogEvent } from "@cogency/protocol";
import type { ModelEvent, ModelRequest, Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { compaction } from "../../../src/history.ts";
import { createAgent } from "../../../src/index.ts";
import { echo } from "../../support/fixtures.ts";
import { type Mark, marked } from "../../two-processes/kill-point.ts";
import { drivers, isOfSummary, tokensOf, words } from "../support.ts";

export const conversation = "c";
/** The name of the fork. */
export const branch = "branch";
export const window = 4000;
/** Tokens from which on the last prompt fills the window. */
const nearlyFull = 2800;
const lastPrompt = `And now? ${words(400)}`;

/** The agent of all processes. A run of a process that was killed counts as dead at once. */
function agentOf(store: Store, driver: string, mark: Mark, requests: ModelRequest[] = []) {
  const speech = drivers[driver] as (typeof drivers)[string];
  const provider: Provider = {
    name: "talker",
    model: "talker-1",
    capabilities: { tools: true, session: false, reasoning: false, format: false },
    async *stream(request): AsyncGenerator<ModelEvent> {
      requests.push(request);
      const what = isOfSummary(request) ? "summary" : "step";
      mark(`asked for a ${what}`);
      if (isOfSummary(request)) yield { type: "text", text: "They talked." };
      else {
        const isSecond = JSON.stringify(request.messages.slice(-2)).includes("I ask the tool.");
        const reply = isSecond ? speech.answer(`So. ${words(150)}`) : speech.call(`I ask the tool. ${words(30)}`);
        if (typeof reply === "string") yield { type: "text", text: reply };
        else if ("events" in reply && reply.events) yield* reply.events.filter(({ type }) => type !== "finish");
      }
      mark(`answered the request for a ${what}`);
      yield { type: "finish", reason: "stop" };
    },
  };
  return createAgent({
    provider,
    tools: [echo],
    store: marked(store, mark),
    keyRing: createKeyRing(["a ring that all processes have in common"]),
    history: compaction({ window }),
    lease: { isGone: () => true },
    ...speech.options,
  });
}

const ignore: Mark = () => {};

/** The conversation before the work. */
export async function prepare(store: Store, driver: string): Promise<void> {
  const requests: ModelRequest[] = [];
  const agent = agentOf(store, driver, ignore, requests);
  for (let turn = 0; requests.every((request) => tokensOf(request) < nearlyFull); turn++) {
    const { error } = await agent.ask(`Question ${turn}. ${words(100)}`, { conversation });
    if (error) throw error;
  }
}

/** Whether the log holds the last prompt. */
const isPrompted = (log: readonly LogEvent[]) =>
  log.some((event) => event.type === "user" && event.content === lastPrompt);

/**
 * The work: a turn whose request is compacted, a fork of the conversation, and a turn of the fork. Goes on where another process was
 * killed. Returns the requests that it made.
 */
export async function work(store: Store, driver: string, mark: Mark = ignore): Promise<ModelRequest[]> {
  const requests: ModelRequest[] = [];
  const agent = agentOf(store, driver, mark, requests);
  const turn = async (key: { conversation: string }, prompt: string, has: (log: readonly LogEvent[]) => boolean) => {
    const log = await store.load(key);
    const { error } = has(log) ? await agent.recover(key).result : await agent.ask(prompt, key);
    if (error) throw error;
  };
  await turn({ conversation }, lastPrompt, isPrompted);
  const isForked = (await store.load({ conversation: branch })).length > 0;
  if (!isForked) await agent.fork(conversation, { as: branch });
  const inBranch = "And on the branch?";
  await turn({ conversation: branch }, inBranch, (log) =>
    log.some((event) => event.type === "user" && event.content === inBranch),
  );
  return requests;
}
