import type { RunEvent } from "@cogency/protocol";
import type { AnswerRequest, ApprovalRequest } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { emulator } from "../../../test/support/emulator.ts";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { Screen } from "../../screen/screen.ts";
import { QuestionView } from "./question-view.ts";

/** Questions on the screen of a terminal. `pass` lets time go by. */
function asking(columns = 60, rows = 24) {
  const terminal = emulator(columns, rows);
  let written = Promise.resolve();
  const { clock, pass } = fakeClock();
  let draft = "";
  const typed: string[] = [];
  const told: string[] = [];
  const output = {
    columns,
    rows,
    write(bytes: string) {
      written = terminal.write(bytes);
    },
  };
  const foot = () => ({ rows: ["", ...questions.rows(columns, draft)], cursor: { row: 0, column: 0 } });
  const screen = new Screen(output, foot, "above the cursor");
  const paper = {
    add: (block: Parameters<Screen["add"]>[0]) => screen.add(block),
    refresh: () => screen.refresh(),
    stream: process.stdout,
  };
  const questions = new QuestionView({
    paper,
    size: () => ({ columns, rows }),
    onOpen: (text) => void told.push(text),
    type: (key) => void typed.push(key),
    clock,
  });
  screen.open();
  return {
    questions,
    told,
    typed,
    /** Types a text that is not sent. */
    write(text: string) {
      draft = text;
    },
    pass,
    clock,
    async shown() {
      await new Promise((resolve) => setImmediate(resolve));
      screen.flush();
      await written;
      return terminal.lines().join("\n");
    },
  };
}

/** The answer of a mode or a rule: nobody gave it. */
function settled(question: string): RunEvent {
  return { type: "approval_settled", question, id: "1", decision: "denied", reason: "no" } as RunEvent;
}

const nothing = { text: "", typedAt: Number.NEGATIVE_INFINITY };
const never = new AbortController().signal;

function toolAsks(message: string, schema?: object, signal = never): AnswerRequest {
  return { question: "q", call: { name: "book", args: {} }, message, schema, signal } as unknown as AnswerRequest;
}

function callAsks(command: string, signal = never): ApprovalRequest {
  const call = { name: "shell", args: { command } };
  return { question: "q", call, concerns: [], touches: [], signal } as unknown as ApprovalRequest;
}

describe("questions in the chat", () => {
  it("a question of a tool is answered by a text", async () => {
    const { questions, shown, told, pass } = asking();
    const answer = questions.answer(toolAsks("Which\u001b[2J town?"));
    expect(await shown()).toMatch(
      /^book asks\nWhich\\u001b\[2J town\?\n+Your answer\nEnter answers, Esc does not\n*$/m,
    );
    expect(questions.takesText).toBe(true);
    expect(questions.submit("a text that was begun before")).toBe(false);
    pass(1000);
    expect(questions.submit("Oslo")).toBe(true);
    expect(await answer).toBe("Oslo");
    expect(await shown()).toMatch(/town\?\n> Oslo\n*$/);
    expect(told).toEqual(["The agent has a question."]);
  });

  it("a question with choices names them, and asks again for another word", async () => {
    const { questions, shown, pass } = asking();
    const schema = {
      type: "object",
      properties: { size: { enum: ["small", "large"], description: "of the room" }, breakfast: { type: "boolean" } },
      required: ["size"],
    };
    const answer = questions.answer(toolAsks("Which room?", schema));
    expect(await shown()).toMatch(/1 of 2\. size \(of the room; one of: small, large\)/);
    pass(1000);
    questions.submit("huge");
    expect(await shown()).toMatch(/Not that: one of: small, large\n1 of 2\. size/);
    questions.submit("LARGE");
    expect(await shown()).toMatch(/> size: LARGE\n+2 of 2\. breakfast \(yes or no; may be left out\)/);
    questions.submit("");
    expect(await answer).toEqual({ size: "large" });
    expect(await shown()).toMatch(/> size: LARGE\n> breakfast: \(left out\)\n*$/);
  });

  it("a question that is not answered tells the tool so", async () => {
    const { questions, shown, pass } = asking();
    const answer = questions.answer(toolAsks("Which town?")).catch((error: Error) => error.message);
    await shown();
    pass(1000);
    questions.escape(nothing);
    expect(await answer).toBe("the user did not want to answer.");
    expect(await shown()).toMatch(/Which town\?\nNot answered\.\n*$/);
  });

  it("a question that somebody answers elsewhere closes at once, and the paper says who it was", async () => {
    const { questions, shown } = asking();
    const elsewhere = new AbortController();
    const answer = questions.ask(callAsks("ls", elsewhere.signal), []);
    expect(await shown()).toContain("Allow it?");
    elsewhere.abort();
    questions.event({
      type: "approval_settled",
      question: "q",
      decision: "denied",
      reason: "no",
      by: "Ada",
    } as RunEvent);
    expect(await answer).toEqual({ approved: false });
    const after = await shown();
    expect(questions.event(settled("of another chat"))).toBe(false);
    expect(after).not.toContain("Allow it?");
    expect(after).toMatch(/ls\nDenied \(no\) elsewhere, by Ada\.\n*$/);
  });

  it("a key that is typed into a text never answers, however long the pause, until Esc has set the text aside", async () => {
    const { questions, shown, pass, write, clock } = asking();
    let isSettled = false;
    const answer = questions.ask(callAsks("ls"), [{ text: "shell:ls", file: "rules.json" }]);
    void answer.then(() => {
      isSettled = true;
    });
    write("pla");
    expect(await shown()).toMatch(
      /The agent asks for permission\.\nWhat you type belongs to your text\. Esc sets it aside/,
    );
    for (const key of ["y", "a", "n", "Y", "A"]) {
      pass(10_000);
      expect(questions.key(key, { text: "pla", typedAt: 0 })).toBe(false);
    }
    expect(await shown()).not.toContain("Allow it?");
    // Esc just after a key may belong to the text, too: what follows at once is not an answer yet.
    const typedAt = clock.now();
    expect(questions.escape({ text: "pla", typedAt })).toBe(true);
    expect(questions.key("y", { text: "", typedAt })).toBe(false);
    pass(1000);
    expect(isSettled).toBe(false);
    expect(questions.escape({ text: "pla", typedAt })).toBe(true);
    write("");
    expect(await shown()).toContain("Allow it?");
    expect(questions.key("y", { text: "", typedAt })).toBe(true);
    pass(200);
    expect(await answer).toEqual({ approved: true });
  });

  it("a letter that comes as a question closes elsewhere goes into the editor", async () => {
    const { questions, shown, typed, pass } = asking();
    const elsewhere = new AbortController();
    const answer = questions.ask(callAsks("ls", elsewhere.signal), []);
    await shown();
    expect(questions.key("y", nothing)).toBe(true);
    elsewhere.abort();
    expect(await answer).toEqual({ approved: false });
    pass(1000);
    expect(typed).toEqual(["y"]);
  });

  it("Esc takes back a letter that has not answered yet", async () => {
    const { questions, shown, typed, pass } = asking();
    const answer = questions.ask(callAsks("ls"), []);
    await shown();
    questions.key("y", nothing);
    expect(questions.escape(nothing)).toBe(false);
    pass(1000);
    expect(await shown()).toContain("Why not?");
    questions.submit("");
    expect(await answer).toMatchObject({ approved: false });
    expect(typed).toEqual([]);
  });

  it("a lone answer that comes just after somebody else has answered is no message", async () => {
    const { questions, shown } = asking();
    const elsewhere = new AbortController();
    const answer = questions.ask(callAsks("ls", elsewhere.signal), []);
    await shown();
    expect(questions.isLate("y")).toBe(false);
    elsewhere.abort();
    await answer;
    expect(questions.isLate(" Y ")).toBe(true);
    expect(questions.isLate("y")).toBe(false);
  });

  it("29: a call that is longer than the screen comes in pages, and a yes counts when all was shown", async () => {
    const { questions, shown, pass } = asking(60, 16);
    const lines = Array.from({ length: 20 }, (_, line) => `echo ${line}`).join("\n");
    const answer = questions.ask(callAsks(`echo '\n${lines}\n'`), [{ text: "shell:echo **", file: "rules.json" }]);
    const first = await shown();
    expect(first).toContain("echo 0");
    expect(first).not.toContain("echo 19");
    expect(first).toMatch(/… \d+ more rows\. A yes counts when all was shown\./);
    pass(1000);
    questions.key("y", nothing);
    pass(1000);
    expect(questions.isOpen).toBe(true);
    expect(questions.key("r", nothing)).toBe(true);
    pass(200);
    const all = await shown();
    for (let line = 0; line < 20; line++) expect(all.match(new RegExp(`echo ${line}$`, "gm"))).toHaveLength(1);
    expect(all).toContain("yes, this session / always: shell:echo **");
    pass(1000);
    expect(questions.key("a", nothing)).toBe(true);
    pass(200);
    expect(await answer).toMatchObject({ approved: true, rule: { text: "shell:echo **" } });
  });
});
