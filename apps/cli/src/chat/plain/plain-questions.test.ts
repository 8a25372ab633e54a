import { Writable } from "node:stream";
import type { AnswerRequest, ApprovalRequest } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { PlainOutput } from "./plain-output.ts";
import { PlainQuestions } from "./plain-questions.ts";

const rules = [{ text: "shell:ls", file: "/home/me/rules" }];

function asked() {
  let said = "";
  let now = 0;
  const sink = new Writable({
    write(chunk, _, done) {
      said += chunk;
      done();
    },
  });
  const stream = Object.assign(sink, { columns: 80 }) as unknown as NodeJS.WriteStream;
  const questions = new PlainQuestions(new PlainOutput(stream), stream, () => now);
  return {
    questions,
    said: () => said,
    type: (line: string) => questions.line(line),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    /** Lets a question that was asked be put. */
    put: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

const approval = (signal = new AbortController().signal) =>
  ({
    question: "q",
    call: { name: "shell", args: { command: "ls\nrm -r /" } },
    concerns: [],
    touches: [],
    signal,
  }) as unknown as ApprovalRequest;

describe("PlainQuestions", () => {
  it("says all that will run before it takes an answer, and takes no line that came too soon", async () => {
    const { questions, said, type, pass, put } = asked();
    const answer = questions.ask(approval(), rules);
    await put();
    expect(said()).toContain("| rm -r /");
    pass(499);
    type("y");
    expect(said()).toContain("That line came before the question could be read.");
    pass(1);
    type("yes");
    expect(await answer).toEqual({ approved: true });
    expect(questions.isOpen).toBe(false);
  });

  it("reads a rule by its letter, and the reason of a no", async () => {
    const { questions, type, pass, put } = asked();
    const answers = [questions.ask(approval(), rules), questions.ask(approval(), rules)];
    await put();
    pass(1000);
    type("a");
    await put();
    pass(1000);
    type("a is not what I want");
    type("n use the trash");
    expect(await Promise.all(answers)).toEqual([
      { approved: true, rule: rules[0], term: "always" },
      { approved: false, reason: "the user said no: use the trash" },
    ]);
  });

  it("takes a rule for this session, and says what it counts for", async () => {
    const { questions, said, type, pass, put } = asked();
    const answer = questions.ask(approval(), rules);
    await put();
    expect(said()).toContain("s / a = yes, this session / always: shell:ls");
    pass(1000);
    type("S");
    expect(await answer).toEqual({ approved: true, rule: rules[0], term: "session" });
    expect(said()).toContain("Allowed for this session: shell:ls (/rules)");
  });

  it("asks for the fields of a tool's question one after another, and again for what does not fit", async () => {
    const { questions, said, type, pass, put } = asked();
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, nights: { type: "integer" } },
      required: ["city", "nights"],
    };
    const request = {
      question: "q",
      call: { name: "book", args: {} },
      message: "Where\u001b[2J to?",
      schema,
      signal: new AbortController().signal,
    };
    const answer = questions.answer(request as unknown as AnswerRequest);
    await put();
    pass(1000);
    type("Oslo");
    type("a few");
    type("3");
    expect(await answer).toEqual({ city: "Oslo", nights: 3 });
    expect(said()).toContain("question: book asks: Where to?\n");
    expect(said()).toContain("Not that: ");
  });

  it("refuses what can no longer be answered", async () => {
    const { questions, put } = asked();
    const cancel = new AbortController();
    const answer = questions.ask(approval(cancel.signal), []);
    await put();
    cancel.abort();
    expect(await answer).toEqual({ approved: false });
    questions.close();
    expect(await questions.ask(approval(), [])).toEqual({ approved: false });
  });
});
