import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool, never, parallel, sequential } from "../../test/support/fixtures.ts";
import { createKeyRing } from "../approval/key-ring.ts";
import type { ApprovalRecord, Journal, QuestionRecord, RemoteAnswer, RemoteAnswers, ToolEvent } from "../host.ts";
import type { BatchContext } from "../index.ts";

const keyRing = createKeyRing(["the ring of all hosts of this file, long enough"]);

/** A host without anybody to ask, whose questions wait. */
function host(timeout?: number) {
  const ran: string[] = [];
  const questions: QuestionRecord[] = [];
  const answers: ApprovalRecord[] = [];
  const heard: ToolEvent[] = [];
  const body = (_: object, { call }: { call: { id: string } }) => void ran.push(call.id);
  const journal: Journal = {
    question: (record) => void questions.push(record),
    approval: (record) => void answers.push(record),
    started: () => {},
    finished: () => {},
  };
  const tools = [
    freeTool("look", body, { annotations: { readOnlyHint: true } }),
    freeTool("wipe", body, { resource: ({ disk }) => (typeof disk === "string" ? [`disk:${disk}`] : []) }),
  ];
  const executor = executorOf(tools, { approval: { ...(timeout && { approve: never, timeout }) }, keyRing });
  const context = (more: Partial<BatchContext> = {}) =>
    batchContext({ journal, whenUnanswered: "wait", observer: (event) => heard.push(event), ...more });
  return { ran, questions, answers, heard, executor, context };
}

const wipe = (id: string, disk?: string) => ({ name: "wipe", args: disk === undefined ? {} : { disk }, id });
const look = (id: string) => ({ name: "look", args: {}, id });
const outcomes = (executions: readonly { outcome: string }[]) => executions.map(({ outcome }) => outcome);

describe("a call whose question nobody can answer", () => {
  it("waits: its question is logged, its body does not begin, and calls that ask nothing run", async () => {
    const { ran, questions, heard, executor, context } = host();
    const executions = await executor.run([wipe("a", "1"), look("b"), wipe("c", "2")], context(), parallel);
    expect(outcomes(executions)).toEqual(["waiting", "success", "waiting"]);
    expect(ran).toEqual(["b"]);
    expect(questions).toMatchObject([
      { call: "a", name: "wipe", asks: "approval", touches: ["disk:1"], concerns: [] },
      { call: "c", name: "wipe", asks: "approval", touches: ["disk:2"] },
    ]);
    expect(executions.map(({ question }) => question)).toEqual([questions[0], undefined, questions[1]]);
    expect(heard.filter(({ type }) => type === "asked")).toHaveLength(2);
  });

  it("waits also if a person was asked and did not answer in time", async () => {
    const { questions, executor, context } = host(5);
    expect(outcomes(await executor.run([wipe("a")], context()))).toEqual(["waiting"]);
    expect(questions).toHaveLength(1);
  });

  it("holds back later calls that touch the same, and in a sequence every later call", async () => {
    const side = host();
    const calls = [wipe("a", "1"), wipe("b", "1"), wipe("c", "1"), look("d")];
    const approvals = await approved(side, [wipe("b", "1"), wipe("c", "1")]);
    expect(outcomes(await side.executor.run(calls, side.context({ approvals }), parallel))).toEqual([
      "waiting",
      "waiting",
      "waiting",
      "success",
    ]);
    expect(side.ran).toEqual(["d"]);
    const row = host();
    expect(outcomes(await row.executor.run([look("a"), wipe("b"), look("c")], row.context(), sequential))).toEqual([
      "success",
      "waiting",
      "waiting",
    ]);
    expect(row.ran).toEqual(["a"]);
  });

  it("is asked again under the same id after a restart, unless the question would show something else", async () => {
    const { questions, executor, context } = host();
    await executor.run([wipe("a", "1")], context());
    await executor.run([wipe("a", "1")], context({ questions: [...questions] }));
    expect(questions).toHaveLength(1);
    const [execution] = await executor.run([wipe("a", "1")], context({ questions: [...questions], scope: "/other" }));
    expect(questions).toHaveLength(2);
    expect(execution?.question?.id).toBe(questions[1]?.id);
    expect(questions[1]?.id).not.toBe(questions[0]?.id);
  });

  it("runs once it is approved, in any order, and a refusal is told with its reason", async () => {
    const side = host();
    await side.executor.run([wipe("a", "1"), wipe("b", "2")], side.context());
    const questions = [...side.questions];
    const approvals = await approved(side, [wipe("b", "2")]);
    const second = await side.executor.run([wipe("a", "1"), wipe("b", "2")], side.context({ questions, approvals }));
    expect(outcomes(second)).toEqual(["waiting", "success"]);
    const refusing = async () => ({ approved: false, reason: "too early" });
    const [third] = await side.executor.run([wipe("a", "1")], side.context({ questions, approve: refusing }));
    expect(third).toMatchObject({ outcome: "denied", error: { message: expect.stringContaining("too early") } });
    expect(side.ran).toEqual(["b"]);
    expect(side.answers.at(-1)).toMatchObject({ question: questions[0]?.id, status: "denied" });
  });

  it.each([
    ["runs on the yes, which is logged", true],
    ["does not run after a no", false],
  ])("is answered elsewhere, and %s, although a rule would allow the call by now", async (_, isYes) => {
    const { questions, answers, executor, context } = host();
    await executor.run([wipe("a")], context());
    const ruled = host();
    const allowing = executorOf([freeTool("wipe", () => void ruled.ran.push("a"))], {
      approval: { policy: () => "allow" },
      keyRing,
    });
    const question = questions[0]?.id ?? "";
    const remote = remoteAnswers(question, { approved: isYes, reason: "not now", message: "m" });
    const more = { questions: [...questions], approvals: [], remote };
    const [execution] = await allowing.run([wipe("a")], ruled.context(more));
    expect(execution?.outcome).toBe(isYes ? "success" : "denied");
    expect(ruled.ran).toEqual(isYes ? ["a"] : []);
    expect(ruled.answers).toMatchObject([{ id: "a", question, status: isYes ? "approved" : "denied" }]);
    expect(answers).toEqual([]);

    // What was asked about other arguments says nothing about these.
    const other = host();
    const [changed] = await allowing.run([wipe("a", "2")], other.context(more));
    expect([changed?.outcome, other.answers, other.questions]).toEqual(["success", [], []]);
  });

  it("is denied where questions do not wait", async () => {
    const { questions, executor, context } = host();
    const [execution] = await executor.run([wipe("a")], context({ whenUnanswered: "deny" }));
    expect(execution).toMatchObject({ outcome: "denied" });
    expect(questions).toEqual([]);
  });
});

/** The one answer that came from elsewhere, to this question. */
function remoteAnswers(question: string, answer: RemoteAnswer): RemoteAnswers {
  return {
    has: (id) => id === question,
    find: ((id: string) => (id === question ? answer : undefined)) as RemoteAnswers["find"],
    wait: () => never(),
    refuse: () => {},
  };
}

/** The records of approval that a person gave to these calls. */
async function approved(side: ReturnType<typeof host>, calls: ReturnType<typeof wipe>[]) {
  const before = side.answers.length;
  const ran = side.ran.length;
  await side.executor.run(calls, side.context({ approve: async () => true }), parallel);
  side.ran.length = ran;
  return side.answers.slice(before);
}
