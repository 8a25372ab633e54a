import type { Json, JsonObject } from "@cogency/protocol";
import { describe, expect, it, vi } from "vitest";
import { batchContext, executorOf, freeTool, parallel } from "../../test/support/fixtures.ts";
import { createKeyRing } from "../approval/key-ring.ts";
import type { AnswerRecord, Journal, QuestionRecord, RemoteAnswers } from "../host.ts";
import type { BatchContext, ExecutorOptions, ToolExecution } from "../index.ts";
import { clientTool } from "./client-tool.ts";

const keyRing = createKeyRing(["the ring of all hosts of this file, long enough"]);
const parameters = {
  type: "object",
  properties: { what: { type: "string" }, count: { type: "integer", default: 1 } },
  required: ["what"],
};
const pick = clientTool({ name: "pick", description: "Lets the person pick.", parameters });

/** A host that logs, and has answers to questions that have come in. */
function host(options: Omit<ExecutorOptions, "registry"> = {}, tool = pick) {
  const questions: QuestionRecord[] = [];
  const answers: AnswerRecord[] = [];
  const refused: string[] = [];
  const come = new Map<string, Json[]>();
  const remote: RemoteAnswers = {
    has: (id) => (come.get(id)?.length ?? 0) > 0,
    find: (id) => {
      const content = come.get(id)?.shift();
      return content === undefined ? undefined : ({ content, message: "m" } as never);
    },
    wait: () => new Promise(() => {}),
    refuse: (_, why) => void refused.push(why),
  };
  const journal: Journal = {
    question: (record) => void questions.push(record),
    approval: () => {},
    answer: (record) => void answers.push(record),
    started: () => {},
    finished: () => {},
  };
  const executor = executorOf([tool, freeTool("look", () => "seen")], { keyRing, ...options });
  const run = async (
    calls: readonly { name: string; args: JsonObject }[] = [{ name: "pick", args: { what: "a" } }],
    more: Partial<BatchContext> = {},
  ) => {
    const ids = calls.map((call, index) => ({ ...call, id: `call_${index}` }));
    const known = questions.filter(({ id }, index) => questions.findIndex((one) => one.id === id) === index);
    const context = batchContext({ journal, remote, questions: known, answers: [...answers], ...more });
    return executor.run(ids, context, parallel);
  };
  const answer = (question: string | undefined, ...contents: Json[]) => void come.set(question ?? "", contents);
  return { questions, answers, refused, run, answer };
}

const outcomes = (executions: readonly ToolExecution[]) => executions.map(({ outcome }) => outcome);

describe("a call of a tool of the client", () => {
  it("waits in a question to the client, also where questions to people are denied, and ends with its output", async () => {
    const { questions, run, answer } = host();
    const [waiting] = await run();
    expect(waiting).toMatchObject({ outcome: "waiting", question: { asks: "answer", client: true, name: "pick" } });
    answer(questions[0]?.id, { output: { picked: [1, null] } });
    const [done] = await run();
    expect(done).toMatchObject({
      outcome: "success",
      value: { picked: [1, null] },
      brings: [{ holds: "untrusted", source: "client tool pick" }],
    });
    expect(new Set(questions.map(({ id }) => id)).size).toBe(1);
  });

  it.each<[Json]>([[null], [false], [""], [0], [[]], [{ error: "an output that looks like one" }]])(
    "ends with the output %j as it is",
    async (output) => {
      const { questions, run, answer } = host();
      await run();
      answer(questions[0]?.id, { output });
      const [done] = await run();
      expect(done).toMatchObject({ outcome: "success", value: output });
    },
  );

  it("fails with the error of the client", async () => {
    const { questions, run, answer } = host();
    await run();
    answer(questions[0]?.id, { error: "The person has closed the window." });
    const [done] = await run();
    expect(done).toMatchObject({ outcome: "failure", error: { message: "The person has closed the window." } });
  });

  it("refuses an answer of another form, and the question stands", async () => {
    const { questions, answers, refused, run, answer } = host();
    await run();
    const wrong: Json[] = [
      "yes",
      null,
      {},
      [],
      { output: 1, error: "both" },
      { error: 7 },
      { error: null },
      { outputs: 1 },
    ];
    answer(questions[0]?.id, ...wrong);
    expect(outcomes(await run())).toEqual(["waiting"]);
    expect(refused).toHaveLength(wrong.length);
    expect(answers).toEqual([]);
  });

  it("asks no person, whoever is there and whatever the policy and the conversation hold", async () => {
    const approve = vi.fn<() => boolean>();
    const answer = vi.fn<() => string>();
    const policy = { otherwise: "ask", annotations: { idempotentHint: "ask" } } as const;
    const { run } = host({ approval: { approve: approve as never, policy, content: "ask" } });
    const content = (["untrusted", "private"] as const).map((holds) => ({ holds, source: "a page" }));
    const told = "a text that a page has planted, word by word, to be found again in the arguments of a call";
    const events = [
      {
        type: "result",
        content: JSON.stringify([{ tool: "look", status: "success", content: told }]),
        payload: {},
        timestamp: 1,
      },
    ];
    const state = { events: events as never, metadata: {}, step: 1, usage: {} as never };
    const calls = [{ name: "pick", args: { what: told } }];
    expect(outcomes(await run(calls, { answer, content, state }))).toEqual(["waiting"]);
    expect([approve.mock.calls, answer.mock.calls]).toEqual([[], []]);
  });

  it("does not run if the policy denies it, or if a hook blocks it", async () => {
    const denied = host({ approval: { policy: { tools: { pick: "deny" } } } });
    expect(outcomes(await denied.run())).toEqual(["denied"]);
    const blocked = host({ hooks: [{ name: "guard", beforeToolUse: () => ({ block: "not now" }) as never }] });
    expect(outcomes(await blocked.run())).toEqual(["blocked"]);
    expect([denied.questions, blocked.questions]).toEqual([[], []]);
  });

  it("is a question to a person first, if a hook wants one", async () => {
    const approve = vi.fn(async () => true);
    const side = host({
      approval: { approve },
      hooks: [{ name: "guard", beforeToolUse: () => ({ ask: "It is a big one." }) as never }],
    });
    expect(outcomes(await side.run())).toEqual(["waiting"]);
    expect(approve).toHaveBeenCalledTimes(1);
    expect(side.questions.map(({ asks, client }) => [asks, client])).toEqual([
      ["approval", undefined],
      ["answer", true],
    ]);
  });

  it("fails before anybody is asked if its arguments do not fit", async () => {
    const { questions, run } = host();
    const calls = [{ what: 7 }, {}, { what: "a", other: 1 }].map((args) => ({ name: "pick", args }));
    expect(outcomes(await run(calls))).toEqual(["failure", "failure", "failure"]);
    expect(questions).toEqual([]);
  });

  it("is not held back by a person who is asked, and holds nobody back", async () => {
    const { questions, run } = host();
    const calls = [{ what: "a" }, { what: "b" }].map((args) => ({ name: "pick", args }));
    const executions = await run([...calls, { name: "look", args: {} }]);
    expect(outcomes(executions)).toEqual(["waiting", "waiting", "success"]);
    expect(questions.map(({ call }) => call).toSorted()).toEqual(["call_0", "call_1"]);
  });

  it("gets no defaults and no patterns, which could take for ever, from the schema of a stranger", async () => {
    const schema = {
      type: "object",
      properties: { what: { type: "string", pattern: "^(a+)+$" }, many: { default: 1 } },
    };
    const tool = clientTool({ name: "pick", description: "", parameters: schema });
    const { questions, run } = host({}, tool);
    const what = `${"a".repeat(60)}!`;
    const [execution] = await run([{ name: "pick", args: { what } }]);
    expect(execution).toMatchObject({ outcome: "waiting", call: { args: { what } } });
    expect(execution?.call.args).toEqual({ what });
    expect(questions).toHaveLength(1);
    expect(tool.spec.parameters).toEqual(schema);
  });

  it("does not take the answer to another question of the same call", async () => {
    const { questions, run } = host();
    await run();
    const [asked] = questions;
    const ofPerson: QuestionRecord = { ...(asked as QuestionRecord), id: "of a person" };
    delete (ofPerson as { client?: true }).client;
    questions.splice(0, 1, ofPerson);
    await run();
    expect(questions.at(-1)?.id).not.toBe("of a person");
  });
});
