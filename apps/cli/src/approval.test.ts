import { PassThrough } from "node:stream";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { written } from "../test/command-line.ts";
import { createApproval } from "./approval.ts";

const tool = defineTool({ name: "write", description: "", input: { type: "object" }, execute: () => null });

describe("the question for approval", () => {
  it.each([
    ["y", true],
    ["Yes", true],
    ["", false],
    ["n", false],
    ["yellow", false],
  ])("takes %j for %s", async (line, approved) => {
    const { answer, input, shown } = ask({ file: "a.txt" });
    await shown;
    input.write(`${line}\n`);
    expect(await answer).toMatchObject({ approved });
  });

  it("shows the tool and its arguments, long ones shortened, and nothing that steers the terminal", async () => {
    const content = Array.from({ length: 40 }, (_, index) => `line ${index}\u001b[2J`).join("\n");
    const { answer, input, shown: text } = ask({ file: "a.txt", content });
    const shown = await text;
    input.write("n\n");
    await answer;
    expect(shown).toContain("write wants to run with\n  file     a.txt\n  content  line 0\\u001b[2J\n");
    expect(shown).toContain("… 28 more lines\nAllow it? [y/N] ");
    expect(shown).not.toContain("\u001b[2J");
  });

  it("keeps everything else from the terminal while it is open", async () => {
    const { answer, input, asked, shown } = ask({});
    await shown;
    expect(asked).toEqual(["pause"]);
    input.write("y\n");
    await answer;
    expect(asked).toEqual(["pause", "resume"]);
  });

  it("is not answered by what was typed before it was shown", async () => {
    const terminal = openTerminal();
    terminal.input.write("y\ny");
    const first = ask({}, terminal);
    await first.shown;
    terminal.input.write("\ny\n");
    expect(await first.answer).toMatchObject({ approved: false });

    const second = ask({}, terminal);
    await second.shown;
    terminal.input.write("n\n");
    expect(await second.answer).toMatchObject({ approved: false });
  });

  it("takes an unfinished line from a terminal in raw mode, and gives the terminal back before it is shown", async () => {
    const terminal = openTerminal();
    const modes: boolean[] = [];
    const input = Object.assign(terminal.input, { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
    const { answer, shown } = ask({}, { ...terminal, input });
    expect(modes).toEqual([true]);
    await shown;
    expect(modes).toEqual([true, false]);
    input.write("y\n");
    expect(await answer).toMatchObject({ approved: true });
  });

  it("is a no when the input ends, and so is every later one, at once", async () => {
    const terminal = openTerminal();
    const first = ask({}, terminal);
    await first.shown;
    terminal.input.end();
    expect(await first.answer).toMatchObject({ approved: false });

    const second = ask({}, terminal);
    expect(await second.answer).toMatchObject({ approved: false, reason: expect.stringContaining("--yes") });
    expect(second.asked).toEqual([]);
  });

  it.each(["before it is shown", "while it is open"])("is over when the run is cancelled %s", async (when) => {
    const { answer, controller, shown } = ask({});
    if (when === "while it is open") await shown;
    controller.abort();
    expect(await answer).toMatchObject({ approved: false });
  });
});

function openTerminal() {
  return { input: new PassThrough(), output: new PassThrough() };
}

function ask(args: { file?: string; content?: string }, terminal = openTerminal()) {
  const { input, output } = terminal;
  const shown = written(output, /Allow it\? \[y\/N\] $/);
  const controller = new AbortController();
  const asked: string[] = [];
  const { approve } = createApproval(terminal, {
    pause: () => asked.push("pause"),
    resume: () => asked.push("resume"),
  });
  const answer = approve?.({ call: { id: "1", name: "write", args }, tool, signal: controller.signal });
  return { answer, input, controller, asked, shown };
}
