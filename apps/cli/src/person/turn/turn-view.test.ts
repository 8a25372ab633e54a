import type { RunEvent } from "@cogency/protocol";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fakeStream } from "../../../test/support/fake-stream.ts";
import type { Block } from "../../screen/screen.ts";
import { TurnView } from "./turn-view.ts";

const run = { id: "r", conversation: "c", step: 1, order: 0 };

/** A view whose paper is 40 columns wide. `pass` lets time go by. */
function shown() {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const paper: string[] = [];
  const add = (block: Block) => void paper.push(...block(40));
  const turns = new TurnView({ add, refresh() {}, stream: fakeStream() }, "; Ctrl-O shows all");
  return {
    turns,
    paper,
    live: () => turns.rows(40),
    pass: (milliseconds: number) => vi.advanceTimersByTime(milliseconds),
    event: (type: string, fields: object = {}) => turns.event({ type, timestamp: 0, run, ...fields } as RunEvent),
  };
}

const shell = { id: "1", name: "shell", args: { command: "npm test" } };
const exit = (exitCode: number, stdout: string) => ({
  outcome: exitCode === 0 ? "success" : "failure",
  result:
    exitCode === 0
      ? { tool: "shell", status: "success", content: { exitCode, stdout, stderr: "" } }
      : { tool: "shell", status: "failure", content: `exit code ${exitCode}\nstdout:\n${stdout}` },
});

describe("TurnView", () => {
  it("puts what has settled of an answer on the paper, and shows the rest below", () => {
    const { event, paper, live } = shown();
    event("respond", { unit: 1, content: "The **first** one.\n\nAnd the" });
    expect(paper).toEqual(["", "The first one."]);
    expect(live()).toEqual(["", "And the"]);
    event("respond", { unit: 1, content: " second." });
    event("end");
    expect(paper).toEqual(["", "The first one.", "", "And the second."]);
    expect(live()).toEqual([]);
  });

  it("shows the end of thoughts while they come, and then one line, or all of them if the person wants that", () => {
    const { event, paper, live, pass, turns } = shown();
    event("think", { unit: 1, content: "Let me see. " });
    pass(3200);
    event("think", { unit: 1, content: "The test fails\nbecause of the very last line." });
    expect(live()).toEqual(["thinking 3 s  …se of the very last line."]);
    event("respond", { unit: 2, content: "I see." });
    expect(paper).toEqual(["thought for 3 s"]);
    turns.showsThinking = true;
    event("think", { unit: 3, content: "Now,\nquickly." });
    event("end");
    expect(paper.slice(1)).toEqual(["", "I see.", "", "thought briefly", "  Now,", "  quickly."]);
  });

  it("22: shows a call as it is written, as it runs, and what came of it", () => {
    const { event, paper, live, pass } = shown();
    event("call_delta", { index: 0, name: "shell", content: '{"comm' });
    event("call_delta", { index: 0, content: 'and":"npm te' });
    expect(live()).toEqual(['⋯ shell {"command":"npm te']);
    event("execute");
    event("tool_started", shell);
    event("tool_progress", { id: "1", update: { text: "one\ntwo\nthr" } });
    event("tool_progress", { id: "1", update: { text: "ee\nfour\n" } });
    pass(2500);
    expect(live()).toEqual(["⋯ shell npm test  2 s", "    two", "    three", "    four"]);
    event("tool_ended", { ...shell, ...exit(0, "all is well\n"), started: true, duration: 2.5 });
    expect(live()).toEqual([]);
    expect(paper).toEqual(["✓ shell npm test", "    exit code 0, 1 line · 2.5 s", "    all is well"]);
  });

  it.each(["success", "failure"])(
    "names each file that a command changed and that runs later, after a %s",
    (outcome) => {
      const { event, paper } = shown();
      const content =
        outcome === "success"
          ? {
              exitCode: 0,
              stdout: "out",
              stderr: "",
              runsLater: ["package.json: scripts test", ".envrc"],
              note: "Tell.",
            }
          : "exit code 1\nruns later: package.json: scripts test; .envrc\nTell.\nstdout:\nout";
      const result = { tool: "shell", status: outcome, content };
      event("tool_ended", { ...shell, outcome, result, started: true, duration: 2 });
      const at = paper.findIndex((line) => line.includes("changed what runs later"));
      expect(paper.slice(at)).toEqual([
        "    changed what runs later:",
        "    package.json: scripts test; .envrc",
        "    out",
      ]);
    },
  );

  it("22: a command that fails is no success, and of a long output the end is shown", () => {
    const { event, paper } = shown();
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`).join("\n");
    event("tool_ended", { ...shell, ...exit(1, lines), started: true, duration: 0.04 });
    expect(paper[0]).toMatch(/^✗ shell npm test/);
    expect(paper.join("\n")).not.toContain("✓");
    expect(paper.join("\n")).toMatch(/exit code 1.* · 40 ms/s);
    expect(paper.slice(-7)).toEqual([
      "    … 14 lines before; Ctrl-O shows all",
      ...[14, 15, 16, 17, 18, 19].map((line) => `    line ${line}`),
    ]);
  });

  it("22: of the output of a failed test run, the names of the tests that failed are shown, and the end", () => {
    const { event, paper } = shown();
    const passing = Array.from({ length: 30 }, (_, n) => `✔ works ${n}`);
    const stack = Array.from({ length: 30 }, (_, n) => `    at a.js:${n}`);
    const printed = [...passing, "✖ adds", "AssertionError: 3 !== 4", ...stack, "  }"].join("\n");
    event("tool_ended", { ...shell, ...exit(1, printed), started: true, duration: 1 });
    expect(paper).toEqual([
      "✗ shell npm test  exit code 1 · 1.0 s",
      "    … 30 lines before; Ctrl-O shows all",
      "    ✖ adds",
      "    AssertionError: 3 !== 4",
      "    … 27 lines",
      ...[27, 28, 29].map((n) => `        at a.js:${n}`),
      "      }",
    ]);
  });

  it.each<[string, string, readonly string[]]>([
    ["a refusal", "shell was refused: not that one", ["was refused: not that one"]],
    ["a command that printed nothing", "exit code 1; it printed nothing", ["exit code 1; it printed nothing"]],
    ["a command that printed a line", "exit code 2\nstderr:\nno such file", ["exit code 2", "no such file"]],
    [
      "a command that ran too long",
      '"npm" was ended after 5 s, its limit, with all it had started. Until then it printed: {"stdout":"one\\ntwo\\n","stderr":""}',
      ['"npm" was ended after 5 s, its limit, with all it had started.', "one", "two"],
    ],
    [
      "a command that a person has cancelled",
      'shell was cancelled: "/usr/bin/bash" was ended with all it had started. Until then it printed: {"stdout":"one\\ntwo\\n","stderr":""}.',
      ["was cancelled", "one", "two"],
    ],
  ])("E5: tells %s once", (_, content, lines) => {
    const { event, paper } = shown();
    const result = { tool: "shell", status: "failure", content };
    event("tool_ended", { ...shell, outcome: "failure", result, started: false, duration: 0 });
    const text = paper.join(" ").replace(/\s+/g, " ");
    expect(text).toBe(`✗ shell npm test ${lines.join(" ")}`);
  });

  it("E5: a call that a person has denied is told by the answer to its question, one that a mode has denied by its line", () => {
    const { paper, turns, event } = shown();
    const result = { tool: "shell", status: "failure", content: "shell was refused" };
    const ended = { outcome: "failure", result, started: false, duration: 0 };
    const settled = {
      type: "approval_settled",
      question: "q",
      id: "1",
      decision: "denied",
      timestamp: 0,
      run,
    } as RunEvent;
    turns.event(settled, true);
    event("tool_ended", { ...shell, ...ended });
    expect(paper).toEqual([]);
    turns.event(settled, false);
    event("tool_ended", { ...shell, ...ended });
    expect(paper).toEqual(["✗ shell npm test  was refused"]);
  });

  it("E10: shows the first line of a script, and how many more there are", () => {
    const { event, paper } = shown();
    const command = "cat > a.txt <<'EOF'\none\ntwo\nEOF\n";
    const result = { tool: "shell", status: "failure", content: "shell was refused" };
    event("tool_ended", { ...shell, args: { command }, outcome: "failure", result, started: false, duration: 0 });
    expect(paper.map((line) => line.trim())).toEqual(["✗ shell cat > a.txt <<'EOF' (+3 lines)", "was refused"]);
  });

  it("E5: tells of a request that is made again once", () => {
    const { event, paper } = shown();
    event("request_retried", { attempt: 1, delay: 1000, code: "rate_limit", message: "Busy." });
    event("error", { code: "provider_retry", content: "Busy. Try 2 begins in 1.0 s." });
    expect(paper).toEqual(["! Busy. Try 2 begins in 1.0 s."]);
  });

  it("shows what a call changed in files", () => {
    const { event, paper } = shown();
    const edit = { id: "2", name: "edit", args: { file: "a.txt", edits: [] } };
    event("tool_started", edit);
    event("tool_progress", { id: "2", update: { diff: "@@ -1,1 +1,1 @@\n-old\n+new" } });
    const result = { tool: "edit", status: "success", content: "changed" };
    event("tool_ended", { ...edit, outcome: "success", result, started: true, duration: 0.01 });
    expect(paper.map((line) => line.trim())).toEqual(expect.arrayContaining(["-old", "+new"]));
  });

  it("keeps calls and remarks together, and paragraphs apart", () => {
    const { event, paper, turns } = shown();
    turns.said("go");
    event("tool_ended", { ...shell, ...exit(0, ""), started: true, duration: 1 });
    turns.remark("Something is worth knowing.", "warning");
    event("respond", { content: "Done." });
    expect(paper).toEqual([
      "",
      "> go",
      "",
      "✓ shell npm test  exit code 0 · 1.0 s",
      "! Something is worth knowing.",
      "",
      "Done.",
    ]);
  });

  it("shows the beginning of a long prompt, and says how much more the model reads", () => {
    const { paper, turns } = shown();
    turns.said(Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n"));
    expect(paper.slice(0, 3)).toEqual(["", "> line 0", "  line 1"]);
    expect(paper.at(-1)).toBe("  … 85 more lines, all of which the model reads");
  });

  it("leaves nothing below when a run ends in the middle", () => {
    const { event, live } = shown();
    event("tool_started", shell);
    event("call_delta", { index: 1, name: "read", content: "{" });
    event("run_ended");
    expect(live()).toEqual([]);
  });

  it("lets no control character of a model, a tool or a person reach the paper", () => {
    const { event, paper, live, turns } = shown();
    const evil = "a\u001b[2Jb\u009b3Jc\u202ed\r";
    const call = { id: "3", name: evil, args: { command: evil } };
    turns.said(evil);
    turns.remark(evil);
    turns.list([[evil, evil]]);
    turns.text(evil);
    event("think", { unit: 1, content: evil });
    const thinking = live();
    event("call_delta", { index: 0, name: evil, content: evil });
    event("tool_started", call);
    event("tool_progress", { id: "3", update: { text: evil } });
    const running = live();
    event("error", { content: evil });
    event("respond", { content: evil });
    const result = { tool: evil, status: "failure", content: evil };
    event("tool_ended", { ...call, outcome: "failure", result, started: true, duration: 0 });
    expect([...paper, ...thinking, ...running].join("")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  describe("of agents that calls have started", () => {
    const agent = (id: string, name: string, prompt = "Look.") => ({
      id,
      name: "agent",
      args: { agent: name, prompt },
    });
    const inside = (id: string, type: string, fields: object = {}) => ({
      id,
      event: { type, timestamp: 0, run, ...fields } as RunEvent,
    });
    const usage = { input: 1000, output: 200, cacheRead: 3000, cacheWrite: 0, reasoning: 0 };

    it("shows what each does now, what it has used, and those that it has started itself", () => {
      const { event, live, pass } = shown();
      event("tool_started", agent("1", "reviewer"));
      event("subagent", inside("1", "request_started"));
      expect(live()).toEqual(["⋯ agent reviewer: Look.  0 s", "    thinks"]);
      event("subagent", inside("1", "request_ended", { usage }));
      event("subagent", inside("1", "tool_started", { id: "1", name: "read", args: { file: "a.ts" } }));
      expect(live()[1]).toBe("    read a.ts · 1 call · 4,200 tokens");
      event("subagent", inside("1", "tool_ended", { id: "1", name: "read" }));
      event("subagent", inside("1", "tool_started", agent("2", "tester", "Test.")));
      pass(3000);
      event("subagent", inside("1", "subagent", inside("2", "tool_started", shell)));
      expect(live()).toEqual([
        "⋯ agent reviewer: Look.  3 s",
        "    waits · 2 calls · 4,200 tokens",
        "      tester 3 s  shell npm test · 1 ca…",
      ]);
    });

    it("keeps one line of each when it has ended, and of its calls those that changed something", () => {
      const { event, live, paper } = shown();
      event("tool_started", agent("1", "fixer"));
      event("subagent", inside("1", "tool_started", { id: "1", name: "read", args: { file: "a.ts" } }));
      event(
        "subagent",
        inside("1", "tool_ended", {
          id: "1",
          name: "read",
          started: true,
          outcome: "success",
          args: {},
          duration: 1,
          result: { tool: "read", status: "success", content: "x" },
        }),
      );
      event("subagent", inside("1", "tool_started", { id: "2", name: "write", args: { file: "a.ts" } }));
      event(
        "subagent",
        inside("1", "tool_progress", {
          id: "2",
          name: "write",
          update: { diff: "--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-a\n+b" },
        }),
      );
      event(
        "subagent",
        inside("1", "tool_ended", {
          id: "2",
          name: "write",
          started: true,
          outcome: "success",
          args: { file: "a.ts" },
          duration: 1,
          result: { tool: "write", status: "success", content: "ok" },
        }),
      );
      event("subagent", inside("1", "respond", { unit: 1, content: "For the one who asked." }));
      event("subagent", inside("1", "error", { content: "no" }));
      event("tool_ended", {
        ...agent("1", "fixer"),
        started: true,
        outcome: "success",
        duration: 4,
        result: {
          tool: "agent",
          status: "success",
          content: { agent: "fixer", conversation: "k", status: "completed", text: "Mended." },
        },
      });
      expect(live()).toEqual([]);
      const text = paper.join("\n");
      expect(text).toContain("✓ fixer › write a.ts");
      expect(text).toContain("+b");
      expect(text).toContain("✓ agent fixer: Look.");
      expect(text).toContain("Mended.");
      expect(text).not.toContain("read");
      expect(text).not.toContain("For the one who asked");
    });

    it("shows six of many, and how many more there are", () => {
      const { event, live } = shown();
      for (let id = 1; id <= 20; id++) event("tool_started", agent(String(id), `a${id}`));
      expect(live()).toHaveLength(13);
      expect(live().at(-1)).toBe("  … 14 more agents");
    });
  });
});
