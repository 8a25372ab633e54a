import { memoryStore } from "@cogency/storage";
import { handLoop, pump } from "./floors.ts";
import { consume, oneAgent } from "./ours.ts";
import type { ParkedContender } from "./parked.ts";
import { openaiAgents, vercelAi } from "./peers.ts";
import { answersOf, type Pause, type Received, scriptedModel, type Work } from "./work.ts";

const work: Work = { steps: 1, deltas: 250 };
const after = 125;

/** Parks so many runs of one contender, and prints the bytes of heap that they hold. */
const [contender, count] = process.argv.slice(2);
const name = contender as ParkedContender;
const runs = Number(count);
const warm = await begin(name, 50);
await warm.go();
const before = heap();
const { held } = await begin(name, runs);
const used = heap() - before;
console.log(used);
if (held.length !== runs) throw new Error(`Only ${held.length} runs are parked.`);
process.exit(0);

/** Begins so many runs, which wait when they have received half of their answer. */
async function begin(contender: ParkedContender, count: number) {
  const gate = Promise.withResolvers<void>();
  const pause = { after, until: gate.promise };
  const start = startOf(contender, pause);
  const all = Array.from({ length: count }, (_, index) => {
    const received: Received = { pieces: 0, characters: 0, calls: 0 };
    return { received, run: start(received, `c${index}`) };
  });
  // Until nothing moves any more: timers and streams of the contenders may need a few turns.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setTimeout(resolve, 2));
  const parked = all.filter(({ received }) => received.pieces === after);
  if (parked.length !== count) throw new Error(`${parked.length} of ${count} runs of ${contender} are parked.`);
  const go = async () => {
    gate.resolve();
    await Promise.all(all.map(({ run }) => run));
  };
  return { held: parked, go };
}

function startOf(
  contender: ParkedContender,
  pause: Pause,
): (received: Received, conversation: string) => Promise<unknown> {
  const provider = scriptedModel(answersOf(work), pause);
  switch (contender) {
    case "hand loop":
      return (received) => handLoop(provider, received);
    case "pump": {
      const store = memoryStore();
      return async (received, conversation) => {
        for await (const event of pump(provider, store, conversation)) {
          if (event.type === "respond") received.pieces++;
        }
      };
    }
    case "ours": {
      const { agent } = oneAgent(provider);
      return (received, conversation) => consume(agent.run("go", { stream: "token", conversation }), received);
    }
    case "@openai/agents":
      return openaiAgents(work, pause);
    case "ai":
      return vercelAi(work, pause);
  }
}

function heap(): number {
  for (let time = 0; time < 4; time++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
