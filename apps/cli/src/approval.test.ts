import { PassThrough } from "node:stream";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
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
    const { answer, input } = ask({ file: "a.txt" });
    input.write(`${line}\n`);
    expect(await answer).toMatchObject({ approved });
  });

  it("shows the tool and its arguments, long ones shortened, and nothing that steers the terminal", async () => {
    const content = Array.from({ length: 40 }, (_, index) => `line ${index}\u001b[2J`).join("\n");
    const { answer, input, output } = ask({ file: "a.txt", content });
    input.write("n\n");
    await answer;
    const shown = String(output.read());
    expect(shown).toContain("write wants to run with\n  file     a.txt\n  content  line 0\\u001b[2J\n");
    expect(shown).toContain("… 28 more lines\nAllow it? [y/N] ");
    expect(shown).not.toContain("\u001b[2J");
  });

  it("keeps everything else from the terminal while it is open", async () => {
    const { answer, input, asked } = ask({});
    expect(asked).toEqual(["pause"]);
    input.write("y\n");
    await answer;
    expect(asked).toEqual(["pause", "resume"]);
  });

  it("is a no when the input ends", async () => {
    const { answer, input } = ask({});
    input.end();
    expect(await answer).toMatchObject({ approved: false });
  });

  it("is over when the run is cancelled", async () => {
    const { answer, controller } = ask({});
    controller.abort();
    expect(await answer).toMatchObject({ approved: false });
  });
});

function ask(args: { file?: string; content?: string }) {
  const input = new PassThrough();
  const output = new PassThrough();
  const controller = new AbortController();
  const asked: string[] = [];
  const { approve } = createApproval(
    { input, output },
    { pause: () => asked.push("pause"), resume: () => asked.push("resume") },
  );
  const answer = approve?.({ call: { id: "1", name: "write", args }, tool, signal: controller.signal });
  return { answer, input, output, controller, asked };
}
