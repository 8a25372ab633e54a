import { countWork } from "@tooling/vitest/count-work";
import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool } from "../../test/support/fixtures.ts";
import { createKeyRing } from "../approval/key-ring.ts";
import type { AnswerRecord, ApprovalRecord, BatchOptions, BegunCall, Journal, QuestionRecord } from "../host.ts";
import { type BatchContext, defineTool, type ExecutorOptions, type ToolExecution, toToolResult } from "../index.ts";
import { callOrder } from "./call-order.ts";

const keyRing = createKeyRing(["the ring of all hosts of this file, long enough"]);

const read = freeTool("read", ({ text }) => text ?? "", {
  annotations: { readOnlyHint: true },
  resource: ({ file }) => [`file:${file}`],
});
const write = freeTool("write", () => "written", { resource: ({ file }) => [`file:${file}`] });
const book = defineTool({
  name: "book",
  description: "Books a table.",
  input: { type: "object" },
  asks: true,
  execute: async (_, { ask }) => ask({ message: "For how many?" }),
});
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  input: { type: "object" },
  execute: () => "paid",
  verify: () => ({ outcome: "done", value: "receipt" }),
});
const tools = [read, write, book, pay];

const approval = { policy: () => "allow" as const };

interface Work {
  tool?: string;
  args?: (index: number) => object;
  context?: Partial<BatchContext>;
  options?: BatchOptions;
  settings?: Omit<ExecutorOptions, "registry">;
  begun?: BegunCall;
}

/** Everything that a batch wrote into its journal. */
interface Written {
  approvals: ApprovalRecord[];
  questions: QuestionRecord[];
  answers: AnswerRecord[];
}

async function runBatch(count: number, work: Work, written: Written = empty()): Promise<Written> {
  const { tool = "read", args = (index) => ({ file: `f${index}` }), context, options, begun } = work;
  const journal: Journal = {
    question: (record) => void written.questions.push(record),
    approval: (record) => void written.approvals.push(record),
    answer: (record) => void written.answers.push(record),
    started: () => {},
    finished: () => {},
  };
  const executor = executorOf(tools, { keyRing, approval, ...work.settings });
  const batch = executor.open(batchContext({ journal, observer: () => {}, ...context }), options);
  for (let index = 0; index < count; index++) {
    batch.add({ id: `c${index}`, name: tool, args: args(index) as Record<string, string> }, begun);
  }
  const executions = await batch.run();
  expect(executions.map(toToolResult)).toHaveLength(count);
  return written;
}

const empty = (): Written => ({ approvals: [], questions: [], answers: [] });

const asking: Work = { tool: "write", settings: { approval: { policy: () => "ask", approve: () => true } } };
const waiting: Work = { tool: "write", settings: { approval: { policy: () => "ask" } } };
const bodies: Work = { tool: "book", context: { answer: () => "two" } };
const unanswered: Partial<BatchContext> = { whenUnanswered: "wait" };

/** What is done with a batch, and what was done with it before a restart. */
const batches: [name: string, work: Work, before?: Work][] = [
  ["side by side", {}],
  ["one after another", { options: { mode: "sequential" } }],
  ["two at a time", { settings: { concurrency: 2 } }],
  ["that begin early", { settings: { earlyStart: true } }],
  ["that read one file", { args: () => ({ file: "f" }) }],
  ["that write one file", { tool: "write", args: () => ({ file: "f" }) }],
  ["whose result is too long", { args: () => ({ text: "long ".repeat(200) }), settings: { maxResultBytes: 512 } }],
  [
    "that hooks rewrite, patch and replace",
    {
      settings: {
        hooks: [
          { name: "before", beforeToolUse: () => ({ call: { args: { file: "g" } }, patch: { last: "a" } }) },
          { name: "after", afterToolUse: () => ({ replace: { value: "b" }, patch: () => ({ last: "b" }) }) },
        ],
      },
    },
  ],
  [
    "whose hooks add to the metadata",
    { settings: { hooks: [{ name: "add", beforeToolUse: ({ call: { id } }) => ({ patch: { [id]: true } }) }] } },
  ],
  [
    "one after another, whose hooks add to the metadata",
    {
      options: { mode: "sequential" },
      settings: { hooks: [{ name: "add", beforeToolUse: ({ call: { id } }) => ({ patch: { [id]: true } }) }] },
    },
  ],
  ["that a hook blocks", { settings: { hooks: [{ name: "no", beforeToolUse: () => ({ block: "no" }) }] } }],
  ["that a person approves", asking],
  ["that are denied", { tool: "write", settings: { approval: { policy: () => "deny" } } }],
  ["that wait for approval", { ...waiting, context: unanswered }],
  ["that were approved before a restart", asking, asking],
  ["whose questions were put before a restart", asking, { ...waiting, context: unanswered }],
  ["that ask", bodies],
  ["that asked before a restart", bodies, bodies],
  ["that wait in their question", { ...bodies, context: unanswered }],
  [
    "that waited in their question before a restart",
    { ...bodies, context: unanswered },
    { ...bodies, context: unanswered },
  ],
  ["that an earlier run began", { tool: "pay", begun: {} }],
];

/** Results that grow. */
const results: [name: string, value: (size: number) => unknown][] = [
  ["a list of numbers", (size) => Array.from({ length: size }, (_, index) => index)],
  ["a list of objects", (size) => Array.from({ length: size / 10 }, (_, index) => ({ id: index, name: `n${index}` }))],
  [
    "an object of many names",
    (size) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`n${index}`, 1])),
  ],
  ["one object many times", (size) => Array.from({ length: size / 10 }, () => results)],
  ["text", (size) => "text ".repeat(size)],
  ["text of long characters", (size) => "😀\n".repeat(size)],
  ["half characters", (size) => "\ud800a".repeat(size)],
  ["a map of sets", (size) => new Map(Array.from({ length: size / 10 }, (_, index) => [index, new Set([index])]))],
];

describe("ten times the result is at most twelve times the work", () => {
  it.each(
    results.flatMap(([name, value]) => [
      [name, "shown whole", value, 100_000_000] as const,
      [name, "shortened", value, 512] as const,
    ]),
  )("for %s, %s", async (_name, _how, value, maxResultBytes) => {
    const works: number[] = [];
    for (const size of [1_000, 10_000]) {
      const executor = executorOf([freeTool("give", () => value(size))], { maxResultBytes, approval });
      works.push(
        await countWork(async () => {
          const executions = await executor.run([{ name: "give", args: {} }], batchContext());
          expect(toToolResult(executions[0] as ToolExecution)).toMatchObject({ status: "success" });
        }),
      );
    }
    for (const [index, more] of works.slice(1).entries()) expect(more / (works[index] as number)).toBeLessThan(12);
  });
});

describe("ten times the calls are at most twelve times the work", () => {
  it.each(batches)("for calls %s", async (_name, work, before) => {
    const works: number[] = [];
    for (const count of [10, 100, 1_000]) {
      const known = before ? await runBatch(count, before) : undefined;
      const logged = known && { approvals: known.approvals, questions: known.questions, answers: known.answers };
      const again = { ...work, context: { ...work.context, ...logged } };
      works.push(await countWork(() => runBatch(count, again)));
    }
    for (const [index, more] of works.slice(1).entries()) expect(more / (works[index] as number)).toBeLessThan(12);
  });

  it("up to the most calls of a batch", async () => {
    const [few, most] = [await countWork(() => runBatch(1_000, {})), await countWork(() => runBatch(10_000, {}))];
    expect(most / few).toBeLessThan(12);
  });

  it.each([
    ["all read one resource", () => ({ keys: ["a"], shared: true })],
    ["all write one resource", () => ({ keys: ["a"], shared: false })],
    ["every tenth writes what the others read", (call: number) => ({ keys: ["a"], shared: call % 10 > 0 })],
    [
      "each writes what the one before it reads",
      (call: number) => ({ keys: [`${call}`, `${call + 1}`], shared: false }),
    ],
    ["all touch the same ten resources", (call: number) => ({ keys: [..."abcdefghij"], shared: call % 2 === 0 })],
  ])("for what calls wait for: %s", (_name, claim) => {
    const waits = (count: number) => callOrder(Array.from({ length: count }, (_, call) => claim(call))).flat().length;
    expect(waits(10_000)).toBeLessThanOrEqual(12 * Math.max(1, waits(1_000)));
  });
});
