import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "@cogency/protocol";
import { describe, expect, it, vi } from "vitest";
import type { Person } from "../src/chat/conversation/person.ts";
import { calling, jsonLines, place, resultsOf } from "./support/command-line.ts";
import { plainTalk } from "./support/plain-talk.ts";
import { conversationWith } from "./support/scripted-conversation.ts";

const step = (text: string, state: string): JsonObject => ({ step: text, state });
const first = { steps: [step("Write it", "now"), step("Check it", "open")] };
const second = { steps: [step("Write it", "done"), step("Check it", "now")], note: "It is there." };
const presented = { plan: "I write todo.md.\n\nNothing else.", steps: ["Write it", "Check it"] };
const write = { name: "write", args: { file: "todo.md", content: "one" } };
const block = (name: string, args: object) => `<execute>${JSON.stringify([{ name, args }])}</execute>`;

/** A person who answers what tools ask, and what they were asked. */
function personWho(answers: (message: string) => unknown) {
  const asked: string[] = [];
  const calls: Json[] = [];
  const person: Person = {
    canAnswer: () => true,
    ask: async ({ call: { name } }) => {
      calls.push(name);
      return { approved: false };
    },
    answer: async ({ message }) => {
      asked.push(message);
      return answers(message);
    },
  };
  return { person, asked, calls };
}

async function said(talk: ReturnType<typeof conversationWith>, steps: number, text = "go") {
  talk.conversation.submit(text);
  await vi.waitFor(() => expect(talk.provider.requests).toHaveLength(steps), { timeout: 60_000 });
  await talk.idle();
}

describe("the plan of a chat", () => {
  it("stands in its state as the model keeps it, and after the conversation is opened again", async () => {
    const talk = conversationWith([block("plan", first), block("plan", second), "Done."]);
    await said(talk, 3);
    expect(talk.conversation.state.plan).toMatchObject(second);
    await talk.conversation.goTo("other");
    expect(talk.conversation.state.plan).toBeUndefined();
    await talk.conversation.goTo("c");
    expect(talk.conversation.state.plan).toMatchObject(second);
    await talk.conversation.command("plan");
    expect(talk.shown.slice(-3)).toEqual(["plan 1/2 · Check it", "done: Write it", "now: Check it"]);
  });

  it("is said in plain lines: what an update has changed, in words", async () => {
    const model = JSON.stringify([[{ name: "plan", args: first }], [{ name: "plan", args: second }]]);
    const lines = (await plainTalk("go", { provider: calling()[1] ?? "", model })).join("\n");
    expect(lines).toContain("plan: now: Write it\n  open: Check it");
    expect(lines).toContain("plan: It is there.\n  done: Write it\n  now: Check it");
  });

  it("asks nobody, also where every call is denied that would ask", async () => {
    const { cogency } = place();
    const { stdout, stderr } = await cogency([
      "run",
      "go",
      "--deny",
      "--json",
      ...calling([{ name: "plan", args: first }]),
    ]);
    expect(resultsOf(stdout)).toEqual([{ tool: "plan", status: "success", content: "ok" }]);
    expect(stderr).toBe("");
  });

  it("is in the last line of run --json, as it stands", async () => {
    const { cogency } = place();
    const batches = [[{ name: "plan", args: first }], [{ name: "plan", args: second }]];
    const { stdout } = await cogency(["run", "go", "--json", ...calling(...batches)]);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "run", plan: second });
  });

  it("is left out with --tools that do not name it", async () => {
    const { cogency } = place();
    const { stdout } = await cogency([
      "run",
      "go",
      "--json",
      "--tools",
      "read",
      ...calling([{ name: "plan", args: first }]),
    ]);
    expect(resultsOf(stdout)[0]).toMatchObject({ status: "failure" });
  });
});

describe("plan mode in a chat", () => {
  it.each([
    ["edits", "edits", true, []],
    ["ask", "ask", false, ["write"]],
    ["no", "plan", false, []],
    ["write a test first", "plan", false, []],
  ])("an answer %j gives the mode %s and no more", async (answer, mode, isWritten, asked) => {
    const { person, asked: questions, calls } = personWho(() => answer);
    const steps = [block("write", write.args), block("present_plan", presented), block("write", write.args), "Done."];
    const talk = conversationWith(steps, {}, { mode: "plan" }, person);
    await said(talk, 4);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain("I write todo.md.\n\nNothing else.\n\n1. Write it\n2. Check it");
    expect(questions[0]).not.toContain("sandboxed");
    expect(talk.conversation.state.mode).toBe(mode);
    expect(existsSync(join(talk.root, "todo.md"))).toBe(isWritten);
    expect(calls).toEqual(asked);
  });

  it("offers the model no tool that changes something, until a plan is accepted", async () => {
    const talk = conversationWith(
      [block("present_plan", presented), "Done."],
      {},
      { mode: "plan" },
      personWho(() => "edits").person,
    );
    await said(talk, 2);
    const [before, after] = talk.provider.requests.map(({ system }) => system);
    expect([before, after].map((system) => /"name": ?"write"|\bwrite\b.*file/.test(system ?? ""))).toEqual([
      false,
      true,
    ]);
    expect([before, after].map((system) => system?.includes("present_plan"))).toEqual([true, false]);
    await talk.conversation.command("plan", "text");
    expect(talk.shown.at(-1)).toBe(presented.plan);
    expect(talk.conversation.state.plan?.steps).toEqual([step("Write it", "open"), step("Check it", "open")]);
  });

  it("leaves an open question to its answer when the mode is changed by key", async () => {
    let press = async () => {};
    const { person } = personWho(async () => {
      await press();
      return "ask";
    });
    const talk = conversationWith([block("present_plan", presented), "Done."], {}, { mode: "plan" }, person);
    press = async () => {
      await talk.conversation.nextMode();
      expect(talk.conversation.state.mode).toBe("read-only");
      await talk.conversation.nextMode();
      expect(talk.conversation.state.mode).toBe("ask");
      await talk.conversation.nextMode();
      expect(talk.conversation.state.mode).toBe("edits");
    };
    await said(talk, 2);
    expect(talk.conversation.state.mode).toBe("ask");
  });

  it("does not widen a mode in which nothing may change", async () => {
    let narrow = async () => {};
    const { person } = personWho(async () => {
      await narrow();
      return "edits";
    });
    const talk = conversationWith([block("present_plan", presented), "Done."], {}, { mode: "plan" }, person);
    narrow = async () => void (await talk.conversation.command("mode", "read-only"));
    await said(talk, 2);
    expect(talk.conversation.state.mode).toBe("read-only");
    expect(JSON.stringify(talk.provider.requests.at(-1)?.messages)).toContain(
      "The mode here is read-only, and stays so.",
    );
  });

  it("is begun by /plan and what to do", async () => {
    const talk = conversationWith(["Which language?"]);
    talk.conversation.submit("/plan a parser");
    await vi.waitFor(() => expect(talk.provider.requests).toHaveLength(1), { timeout: 60_000 });
    await talk.idle();
    expect(talk.conversation.state.mode).toBe("plan");
    expect(JSON.stringify(talk.provider.requests[0]?.messages)).toMatch(/a parser.*Plan mode is on/);
  });
});

describe("cogency run --mode plan, without a terminal", () => {
  const batches = [[{ name: "present_plan", args: presented }], [write]];

  it("prints the plan whole and how to answer, and goes on as the person chose, from another terminal", async () => {
    const { cogency, folder } = place();
    const run = ["--conversation", "c", "--access", "project", "--mode", "plan", ...calling(...batches)];
    const waiting = await cogency(["run", "go", "--wait", ...run]);
    expect(waiting.code).toBe(6);
    expect(waiting.stderr).toContain("? present_plan asks\n  I write todo.md.\n\n  Nothing else.\n\n  1. Write it");
    const [, id = ""] = /^ {2}cogency answer c (\S+) <your answer>$/m.exec(waiting.stderr) ?? [];
    expect((await cogency(["answer", "c", id, "edits"])).code).toBe(0);
    const { code, stdout } = await cogency(["run", "--resume", "--json", ...run]);
    expect(code).toBe(0);
    expect(resultsOf(stdout)[0]).toMatchObject({ status: "success", content: { accepted: true, choice: "edits" } });
    expect(existsSync(join(folder, "todo.md"))).toBe(true);
    const { stdout: history } = await cogency(["history", "show", "c"]);
    expect(history).toMatch(/→ present_plan I write todo\.md\.\n {4}I write todo\.md\.\n\n {4}Nothing else\.\n/);
    expect(history).toContain("✓ present_plan accepted: edits");
  });

  it("changes nothing with --read-only, also after the plan was accepted, and says so", async () => {
    const { cogency, folder } = place();
    const run = ["--conversation", "c", "--access", "project", ...calling(...batches)];
    const { stderr } = await cogency(["run", "go", "--wait", "--mode", "plan", ...run]);
    const [, id = ""] = /cogency answer c (\S+) /.exec(stderr) ?? [];
    await cogency(["answer", "c", id, "edits"]);
    const { stdout } = await cogency(["run", "--resume", "--json", "--read-only", ...run]);
    expect(resultsOf(stdout)[0]).toMatchObject({ content: { problem: "The mode here is read-only, and stays so." } });
    expect(existsSync(join(folder, "todo.md"))).toBe(false);
  });

  it("leaves the plan unanswered without --wait, and the model reads that", async () => {
    const { cogency } = place();
    const { stdout } = await cogency(["run", "go", "--json", "--mode", "plan", ...calling(...batches)]);
    expect(resultsOf(stdout)[0]).toMatchObject({
      status: "failure",
      content: expect.stringContaining("nobody is there"),
    });
  });
});
