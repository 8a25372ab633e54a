import { estimateUsage, type ModelEvent, type ModelRequest, type Provider } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { compaction } from "../../src/history.ts";
import { createAgent } from "../../src/index.ts";
import { conversation, echo } from "../support/fixtures.ts";
import { drivers, isOfSummary, problemOf, words } from "./support.ts";

export interface Talked {
  turns: number;
  events: number;
  requests: number;
  summaries: number;
  /** The largest request, as estimated. */
  mostTokens: number;
  /** Why a request would be refused. */
  problems: string[];
  seconds: number;
}

/** Leads a long conversation by one driver: each turn has a call of a tool and an answer. Its words differ in length by turn. */
export async function talkLong(driver: string, turns: number, window: number): Promise<Talked> {
  const speech = drivers[driver] as (typeof drivers)[string];
  const told: Talked = { turns, events: 0, requests: 0, summaries: 0, mostTokens: 0, problems: [], seconds: 0 };
  const began = performance.now();
  let hasCalled = false;
  let turn = 0;
  const provider: Provider = {
    name: "talker",
    model: "talker-1",
    capabilities: { tools: true, session: false, reasoning: false, format: false },
    async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
      const tokens = estimateUsage(request, "").input;
      const problem = problemOf(request);
      told.requests++;
      told.mostTokens = Math.max(told.mostTokens, tokens);
      if (problem !== undefined) told.problems.push(`turn ${turn}: ${problem}`);
      if (isOfSummary(request)) {
        told.summaries++;
        yield { type: "text", text: `They have talked for ${turn} turns.` };
      } else {
        hasCalled = !hasCalled;
        const size = 20 + ((turn * 37) % 180);
        const reply = hasCalled
          ? speech.call(`Look ${turn}. ${words(size)}`)
          : speech.answer(`I have looked ${turn} times.`);
        if (typeof reply === "string") yield { type: "text", text: reply };
        else if ("events" in reply && reply.events) yield* reply.events.filter(({ type }) => type !== "finish");
      }
      yield { type: "finish", reason: "stop" };
    },
  };
  const store = memoryStore();
  const agent = createAgent({ provider, tools: [echo], store, history: compaction({ window }), ...speech.options });
  for (; turn < turns; turn++) {
    const { error, status } = await agent.ask(`Question ${turn}. ${words(20 + ((turn * 53) % 120))}`, { conversation });
    if (status !== "completed") throw new Error(`Turn ${turn} ended ${status}.`, { cause: error });
  }
  told.events = (await store.load({ conversation })).length;
  told.seconds = (performance.now() - began) / 1000;
  return told;
}
