import type { Piece } from "@cogency/protocol/parts";
import { memoryStore, type Store } from "@cogency/storage";
import { type Contender, measure, ratioOf } from "@tooling/bench";
import { createAgent } from "../src/index.ts";
import { pump } from "./floors.ts";
import { consume } from "./ours.ts";
import { print } from "./throughput.ts";
import type { Verdict } from "./verdict.ts";
import { answersOf, breathing, checkReceived, type Received, scriptedModel, type Work } from "./work.ts";

/** A text that takes a while: most runs write more than one frame of it. */
const work: Work = { steps: 1, deltas: 5000 };

const names = {
  pump: "pump",
  without: "ours, live: false",
  unwatched: "ours, nobody watches",
  watched: "ours, one screen watches",
};

/** What it costs that others may watch a run: CPU time of runs that nobody watches, and of runs with one screen in the process. */
export async function live(rounds: number): Promise<Verdict[]> {
  const provider = breathing(scriptedModel(answersOf(work)));
  let pieces = 0;
  let screens = 0;
  const contender = (name: string, run: (received: Received) => Promise<unknown>): Contender => ({
    name,
    async run() {
      const received: Received = { pieces: 0, characters: 0, calls: 0 };
      await run(received);
      checkReceived(name, work, received);
    },
  });
  const store = memoryStore();
  const ours = (isLive: boolean, watch?: (store: Store, conversation: string) => () => void) => {
    const agent = createAgent({ provider, store, live: isLive, warn: () => {} });
    return async (received: Received) => {
      const conversation = crypto.randomUUID();
      const leave = watch?.(store, conversation);
      await consume(agent.run("go", { conversation, stream: "token" }), received);
      leave?.();
      await store.delete({ conversation });
    };
  };
  const watch = (of: Store, conversation: string) => {
    const leaving = new AbortController();
    screens++;
    void count(of.live.follow({ conversation }, { signal: leaving.signal }));
    return () => leaving.abort();
  };
  const count = async (following: AsyncIterable<readonly Piece[]>) => {
    for await (const some of following) pieces += some.length;
  };
  const floor = memoryStore();
  const measured = await measure(
    [
      contender(names.pump, async (received) => {
        const conversation = crypto.randomUUID();
        for await (const event of pump(provider, floor, conversation)) {
          if (event.type !== "respond") continue;
          received.pieces++;
          received.characters += event.content.length;
        }
        await floor.delete({ conversation });
      }),
      contender(names.without, ours(false)),
      contender(names.unwatched, ours(true)),
      contender(names.watched, ours(true, watch)),
    ],
    { rounds, warmup: 4 },
  );
  const [pumped, without, unwatched, watched] = measured;
  if (!pumped || !without || !unwatched || !watched) throw new Error("Four contenders give four measurements.");
  print(
    `1 step × ${work.deltas} deltas, ${rounds} rounds; a screen got ${(pieces / screens).toFixed(1)} pieces a run`,
    [
      ["", "CPU median", "min", "÷ pump", "÷ live: false"],
      ...measured.map((run) => [
        run.name,
        `${run.median.toFixed(2)} ms`,
        `${run.min.toFixed(2)} ms`,
        `${ratioOf(run, pumped).toFixed(2)}×`,
        `${ratioOf(run, without).toFixed(2)}×`,
      ]),
    ],
  );
  return [{ what: "nobody watches ÷ live: false", value: ratioOf(unwatched, without), most: 1.05, unit: "×" }];
}
