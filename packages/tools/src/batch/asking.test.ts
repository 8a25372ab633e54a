import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { batchContext, executorOf, never, parallel } from "../../test/support/fixtures.ts";
import { createKeyRing } from "../approval/key-ring.ts";
import type { AnswerRecord, Journal, QuestionRecord, RemoteAnswers, ToolEvent } from "../host.ts";
import { type AnswerRequest, type BatchContext, defineTool, type ExecutorOptions, type ToolContext } from "../index.ts";

const keyRing = createKeyRing(["the ring of all hosts of this file, long enough"]);

/** A host with one tool, `book`, whose body is given. */
function host(execute: (context: ToolContext) => unknown, options: Omit<ExecutorOptions, "registry"> = {}) {
  const questions: QuestionRecord[] = [];
  const answers: AnswerRecord[] = [];
  const written: string[] = [];
  const heard: ToolEvent[] = [];
  const journal: Required<Journal> = {
    question(record) {
      questions.push(record);
      written.push("question");
    },
    approval: () => void written.push("approval"),
    notDone: () => {},
    answer(record) {
      answers.push(record);
      written.push("answer");
    },
    started: () => void written.push("started"),
    finished: () => void written.push("finished"),
  };
  const input = { type: "object" } as const;
  const description = "Books a table.";
  const annotations = { readOnlyHint: true };
  const book = defineTool({
    name: "book",
    description,
    input,
    annotations,
    asks: true,
    execute: (_, context) => execute(context),
  });
  const executor = executorOf([book], { keyRing, approval: { policy: () => "allow" }, ...options });
  const run = async (context: Partial<BatchContext> = {}) => {
    const observer = (event: ToolEvent) => void heard.push(event);
    const [execution] = await executor.run(
      [{ name: "book", args: {}, id: "a" }],
      batchContext({ journal, observer, ...context }),
      parallel,
    );
    return execution;
  };
  return { questions, answers, written, heard, journal, executor, run };
}

const guests = { message: "For how many?", schema: z.object({ guests: z.number().int() }) };

describe("a body that asks", () => {
  it("gets the answer of the person, once question and answer are logged", async () => {
    const side = host(async ({ ask }) => {
      const { guests: count } = await ask(guests);
      side.written.push(`booked for ${count}`);
      return "booked";
    });
    const requests: AnswerRequest[] = [];
    const answer = (request: AnswerRequest) => {
      requests.push(request);
      return { guests: 4 };
    };
    expect(await side.run({ answer })).toMatchObject({ outcome: "success", value: "booked" });
    expect(side.written).toEqual(["started", "question", "answer", "booked for 4", "finished"]);
    expect(side.questions).toMatchObject([
      { call: "a", name: "book", asks: "answer", message: "For how many?", touches: [], concerns: [] },
    ]);
    expect(side.questions[0]?.schema).toMatchObject({ type: "object", properties: { guests: { type: "integer" } } });
    expect(side.answers).toMatchObject([{ question: side.questions[0]?.id, content: { guests: 4 } }]);
    expect(requests).toMatchObject([
      { conversation: "c1", user: "u1", question: side.questions[0]?.id, message: "For how many?", problem: undefined },
    ]);
    expect(requests[0]?.schema).toEqual(side.questions[0]?.schema);
    expect(side.heard.map(({ type }) => type)).toEqual(["started", "question_asked", "question_answered", "completed"]);
  });

  it("gets a text where it gives no schema, and what a schema makes of the answer", async () => {
    const { run } = host(async ({ ask }) => [
      await ask({ message: "Name?" }),
      await ask({ message: "When?", schema: z.string().transform((text) => text.length) as never }),
      await ask({ message: "Where?", schema: { enum: ["in", "out"] } }),
    ]);
    const texts: Record<string, string> = { "Name?": "Ada", "When?": "noon", "Where?": "in" };
    const jsonless = await run({ answer: ({ message }) => texts[message] });
    expect(jsonless).toMatchObject({ value: ["Ada", 4, "in"] });
  });

  it("has the person asked again with what was wrong, at most three times", async () => {
    const { run, answers } = host(({ ask }) => ask(guests));
    const problems: unknown[] = [];
    const late = [{ guests: "four" }, undefined, { guests: 4 }];
    const answer = ({ problem }: AnswerRequest) => {
      problems.push(problem);
      return late[problems.length - 1];
    };
    expect(await run({ answer })).toMatchObject({ value: { guests: 4 } });
    expect(problems).toEqual([undefined, expect.stringContaining("guests"), expect.stringContaining("undefined")]);
    expect(answers).toHaveLength(1);
    const stubborn = await run({ answer: () => "no" });
    expect(stubborn).toMatchObject({ outcome: "failure", error: { code: "answer_failed" } });
    expect(stubborn?.error?.message).toContain("does not fit");
  });

  it.each<[string, Partial<BatchContext>, string]>([
    ["nobody is there", {}, "unanswered"],
    ["the host throws", { answer: () => Promise.reject(new Error("no terminal")) }, "answer_failed"],
  ])("goes on with an error that it may catch, if %s", async (_, context, code) => {
    const { run, written } = host(({ ask }) => ask({ message: "Name?" }).catch((error) => `none: ${error.code}`));
    expect(await run(context)).toMatchObject({ outcome: "success", value: `none: ${code}` });
    // After a crash it must not count as a call that is still in its question.
    const afterQuestion = written.includes("question") ? ["question", "started"] : [];
    expect(written).toEqual(["started", ...afterQuestion, "finished"]);
  });

  it("is rejected if its tool does not say that it asks, and if the journal keeps no answers", async () => {
    const input = { type: "object" } as const;
    const mute = defineTool({
      name: "mute",
      description: "Asks.",
      input,
      execute: (_, { ask }) => ask({ message: "Name?" }),
    });
    const answer = () => "Ada";
    const executor = executorOf([mute], { approval: { policy: () => "allow" } });
    const [execution] = await executor.run([{ name: "mute", args: {} }], batchContext({ answer }));
    expect(execution?.error?.message).toContain("asks: true");
    const side = host(({ ask }) => ask({ message: "Name?" }));
    const { answer: _, ...journal } = side.journal;
    expect(await side.run({ answer, journal })).toMatchObject({ error: { code: "answer_failed" } });
  });

  it("may take its time: only the body counts for the limit", async () => {
    const side = host(
      async ({ ask, signal }) => {
        await ask({ message: "Name?" });
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
      { timeout: 60 },
    );
    const execution = await side.run({ answer: () => pause(200).then(() => "Ada") });
    expect(side.answers).toHaveLength(1);
    expect(execution).toMatchObject({ outcome: "failure", error: { code: "timeout" } });
  });

  it("does not ask when it has ended, nor before its block has closed", async () => {
    let asked: Promise<unknown> | undefined;
    const side = host(
      ({ ask }) => {
        asked = pause(1).then(() => ask({ message: "Name?" }));
        asked.catch(() => {});
        return "done";
      },
      { earlyStart: true },
    );
    const batch = side.executor.open(batchContext({ journal: side.journal, answer: () => "Ada" }), parallel);
    batch.add({ name: "book", args: {} });
    await pause(5);
    expect(asked).toBeUndefined();
    expect(await batch.run()).toMatchObject([{ outcome: "success", value: "done" }]);
    await expect(asked).rejects.toMatchObject({ code: "cancelled" });
    expect(side.questions).toEqual([]);
  });

  it("has one question open at a time, whoever asks", async () => {
    let open = 0;
    let most = 0;
    const answer = async () => {
      most = Math.max(most, ++open);
      await pause(2);
      open--;
      return "Ada";
    };
    const { run } = host(({ ask }) => Promise.all([ask({ message: "Name?" }), ask({ message: "Name?" })]));
    expect(await run({ answer })).toMatchObject({ value: ["Ada", "Ada"] });
    expect(most).toBe(1);
  });

  it("ends with the run: whoever answers is told, and the question stands", async () => {
    const side = host(({ ask }) => ask({ message: "Name?" }));
    const controller = new AbortController();
    let closed: AbortSignal | undefined;
    const answer = ({ signal }: AnswerRequest) => {
      closed = signal;
      queueMicrotask(() => controller.abort());
      return never();
    };
    const execution = await side.run({ answer, signal: controller.signal });
    expect(execution).toMatchObject({ outcome: "cancelled", question: side.questions[0] });
    expect(closed?.aborted).toBe(true);
    expect(side.written).toEqual(["started", "question"]);
  });
});

describe("a body whose question nobody can answer", () => {
  const whenUnanswered = "wait" as const;

  it("is left: its signal aborts, and what it does now does not count", async () => {
    const caught: unknown[] = [];
    const side = host(async ({ ask, signal }) => {
      const name = await ask({ message: "Name?" }).catch((error) => {
        caught.push(error.code, signal.aborted);
        return "nobody";
      });
      return `booked for ${name}`;
    });
    const execution = await side.run({ whenUnanswered });
    expect(execution).toMatchObject({ outcome: "waiting", question: side.questions[0], started: true });
    expect(execution?.value).toBeUndefined();
    expect(caught).toEqual(["left", true]);
    expect(side.written).toEqual(["started", "question"]);
  });

  it("gets an answer that has come from elsewhere, also where nobody is there and nothing waits", async () => {
    const side = host(({ ask }) => ask({ message: "Name?" }));
    expect(await side.run({ whenUnanswered })).toMatchObject({ outcome: "waiting" });
    const remote: RemoteAnswers = {
      has: (question) => question === side.questions[0]?.id,
      find: () => ({ content: "Ada", message: "m" }) as never,
      wait: never,
      refuse: () => {},
    };
    expect(await side.run({ questions: [...side.questions], remote })).toMatchObject({ value: "Ada" });
    const none = { ...remote, has: () => false };
    expect(await side.run({ questions: [...side.questions], remote: none })).toMatchObject({
      error: { code: "unanswered" },
    });
  });

  it("runs again from the top, with the earlier answers at once, until no question is open", async () => {
    let runs = 0;
    const side = host(async ({ ask }) => {
      runs++;
      const name = await ask({ message: "Name?" });
      const day = await ask({ message: `Which day, ${name}?` });
      return `${name}, ${day}`;
    });
    const logged = () => ({ questions: [...side.questions], answers: [...side.answers], whenUnanswered });
    expect(await side.run(logged())).toMatchObject({ outcome: "waiting" });
    expect(await side.run(logged())).toMatchObject({ outcome: "waiting", question: side.questions[0], started: false });
    const texts: Record<string, string> = { [side.questions[0]?.id ?? ""]: "Ada" };
    const remote: RemoteAnswers = {
      has: (question) => question in texts,
      find: (question) => (texts[question] ? ({ content: texts[question], message: "m" } as never) : undefined),
      wait: never,
      refuse: () => {},
    };
    expect(await side.run({ ...logged(), remote })).toMatchObject({
      outcome: "waiting",
      question: { message: "Which day, Ada?" },
    });
    expect(await side.run({ ...logged(), answer: () => "Monday" })).toMatchObject({ value: "Ada, Monday" });
    expect(runs).toBe(3);
    // The question that was put again keeps its id.
    expect(side.questions.map(({ message }) => message)).toEqual([
      "Name?",
      "Name?",
      "Which day, Ada?",
      "Which day, Ada?",
    ]);
    expect(new Set(side.questions.map(({ id }) => id)).size).toBe(2);
    expect(side.answers.map(({ content }) => content)).toEqual(["Ada", "Monday"]);
  });

  it("asks again where an answer was not signed by this ring for this very question", async () => {
    const side = host(({ ask }) => ask({ message: "Name?" }));
    await side.run({ answer: () => "Ada" });
    const [question, answer] = [side.questions[0] as QuestionRecord, side.answers[0] as AnswerRecord];
    const held = async (questions: QuestionRecord[], answers: AnswerRecord[], more = {}) => {
      const execution = await side.run({ questions, answers, whenUnanswered, ...more });
      return execution?.outcome === "success";
    };
    expect(await held([question], [answer])).toBe(true);
    expect(await held([question], [{ ...answer, content: "Eve" }])).toBe(false);
    expect(await held([question], [{ question: question.id, content: "Ada" }])).toBe(false);
    expect(await held([{ ...question, id: "q" }], [{ ...answer, question: "q" }])).toBe(false);
    expect(await held([{ ...question, call: "b" }], [answer])).toBe(false);
    expect(await held([question], [answer], { conversation: "c2" })).toBe(false);
    expect(await held([question], [answer], { scope: "/other" })).toBe(false);
  });

  it("refuses answers from elsewhere that do not fit, and takes the first that does", async () => {
    const refused: string[] = [];
    const sent = [
      { content: "four", message: "1" },
      { content: { guests: 4 }, message: "2", by: "Ada" },
    ];
    const side = host(({ ask }) => ask(guests));
    const remote: RemoteAnswers = {
      has: () => false,
      find: () => undefined,
      wait: async () => (sent.shift() ?? never()) as never,
      refuse: ({ message }, why) => void refused.push(`${message}: ${why}`),
    };
    expect(await side.run({ answer: never, remote })).toMatchObject({ value: { guests: 4 } });
    expect(refused).toEqual([expect.stringMatching(/^1: The answer does not fit: .*object/)]);
    expect(side.answers).toMatchObject([{ content: { guests: 4 }, from: "Ada" }]);
    expect(side.heard.find(({ type }) => type === "question_answered")).toMatchObject({ by: "Ada" });
  });

  it("is left when the person here does not answer in time", async () => {
    const side = host(({ ask }) => ask({ message: "Name?" }), {
      approval: { policy: () => "allow", timeout: 5 },
    });
    expect(await side.run({ answer: never, whenUnanswered })).toMatchObject({ outcome: "waiting" });
    expect(await side.run({ answer: never })).toMatchObject({ error: { code: "unanswered" } });
  });
});
