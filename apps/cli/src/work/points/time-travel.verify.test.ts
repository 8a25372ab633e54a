import { createAgent } from "@cogency/agent";
import { summaryOf, undoCompaction } from "@cogency/agent/history";
import { type LogEvent, toMessages } from "@cogency/protocol";
import { type ModelRequest, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { markPoint, unmarkPoint } from "../names/mark-point.ts";
import { conversationTree, type TreeNode } from "./conversation-tree.ts";

const keyRing = createKeyRing(["k".repeat(32)]);

/** What happens to the conversation `of`, counted among those that there are. */
const step = fc.record({
  what: fc.constantFrom("say", "say", "say", "fork", "name", "name", "unname", "compact", "undo compaction"),
  of: fc.nat(9),
  where: fc.nat(99),
  name: fc.nat(4),
});

interface Known {
  readonly name: string;
  readonly from?: string;
  /** What was said in it, also before it was forked. */
  readonly said: string[];
  /** How many of these were said when a point was named. */
  readonly points: Map<string, number>;
}

async function agentFor(store: Store, requests: ModelRequest[] = []) {
  const provider = scripted(Array.from({ length: 60 }, (_, n) => `Answer ${n}.<end>`));
  const clock = () => 1_700_000_000 + ticks++ / 1000;
  return { agent: createAgent({ provider, store, keyRing, clock }), provider, requests };
}
let ticks = 0;

const idOf = (tree: TreeNode): object => ({
  [tree.conversation]: Object.assign({}, ...tree.forks.map(idOf)),
});

const nodesOf = (tree: TreeNode): TreeNode[] => [tree, ...tree.forks.flatMap(nodesOf)];

/** The bytes of the request that a run with this prompt makes first. */
async function requestFor(store: Store, conversation: string): Promise<string> {
  const { agent, provider } = await agentFor(store);
  await agent.run("What now?", { conversation }).result;
  const { system, messages, tools } = provider.requests[0] as ModelRequest;
  return JSON.stringify({ system, messages, tools });
}

it("the tree is right, and a fork at each named point makes the request that the original would have made there, byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 18 }), async (steps) => {
      const store = memoryStore();
      const { agent } = await agentFor(store);
      const known: Known[] = [{ name: "c0", said: [], points: new Map() }];
      const say = async (one: Known, text: string) => {
        await agent.run(text, { conversation: one.name }).result;
        one.said.push(text);
      };
      await say(known[0] as Known, "begin");
      for (const [index, { what, of, where, name }] of steps.entries()) {
        const one = known[of % known.length] as Known;
        const key = { conversation: one.name };
        const log = await store.load(key);
        const starts = log.flatMap(({ type }, at) => (type === "user" && at > 0 ? [at] : []));
        const turn = where % (starts.length + 1);
        const at = starts[turn] ?? log.length;
        if (what === "say") await say(one, `words ${index}`);
        else if (what === "fork") {
          const fork = `c${known.length}`;
          await agent.fork(one.name, { at, as: fork });
          const points = new Map([...one.points].filter(([, said]) => said <= turn));
          known.push({ name: fork, from: one.name, said: one.said.slice(0, turn), points });
        } else if (what === "name") {
          await markPoint(key, `p${name}`, store, String(at));
          one.points.set(`p${name}`, turn);
        } else if (what === "unname" && one.points.delete(`p${name}`)) await unmarkPoint(key, `p${name}`, store);
        else if (what === "compact" && turn > 0 && turn < starts.length) {
          const summary = { type: "record", kind: "summary", data: { upTo: at, text: `sum ${index}` }, timestamp: 1 };
          await store.append(key, [summary as LogEvent]);
        } else if (what === "undo compaction") await undoCompaction(store, key);
      }
      const tree = await conversationTree(store, "c0", ":memory:");
      const expected = (name: string): object =>
        Object.assign(
          {},
          ...known.filter(({ from }) => from === name).map((one) => ({ [one.name]: expected(one.name) })),
        );
      expect(idOf(tree)).toEqual({ c0: expected("c0") });
      for (const node of nodesOf(tree)) {
        const one = known.find(({ name }) => name === node.conversation) as Known;
        const log = await store.load({ conversation: one.name });
        const hidden = summaryOf(log)?.upTo ?? 0;
        expect(node.turns.map(({ text }) => text)).toEqual(one.said);
        expect(node.turns.map(({ isSummedUp }) => isSummedUp)).toEqual(node.turns.map(({ at }) => at < hidden));
        expect(new Map(node.points.map(({ name, at }) => [name, saidBefore(log, at)]))).toEqual(one.points);
        for (const { name, at } of node.points) {
          const then = memoryStore();
          await then.append(
            { conversation: one.name },
            log.slice(0, at).map(({ seq: _, ...event }) => event),
          );
          const fork = await agent.fork(one.name, { at });
          const forked = await store.load({ conversation: fork });
          expect(toMessages(forked, { form: "json" })).toEqual(toMessages(log.slice(0, at), { form: "json" }));
          const [made, original] = [await requestFor(store, fork), await requestFor(then, one.name)];
          expect([name, made]).toEqual([name, original]);
          await store.delete({ conversation: fork });
        }
      }
    }),
    randomRuns(40),
  );
});

const saidBefore = (log: readonly LogEvent[], at: number) =>
  log.slice(0, at).filter(({ type }) => type === "user").length;
