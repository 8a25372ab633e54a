import type { JsonObject, RunEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { fakeStream } from "../../../test/support/fake-stream.ts";
import { PlanTracker } from "../plan/plan-tracker.ts";
import { planLines } from "./plan-lines.ts";

type Ended = RunEvent & { type: "tool_ended" };

const step = (text: string, state: string): JsonObject => ({ step: text, state });

function ended(name: string, args: JsonObject, content: JsonObject | string = "ok", more: object = {}): Ended {
  const result = { tool: name, status: "success", content };
  return { type: "tool_ended", id: "1", name, args, started: true, outcome: "success", result, ...more } as Ended;
}

/** The lines of calls, one after another, at 40 columns. */
function linesOf(...events: Ended[]): (string[] | undefined)[] {
  const tracker = new PlanTracker();
  return events.map((event) => planLines(event, tracker.event(event), 40, fakeStream()));
}

describe("the lines of a plan", () => {
  it("are the whole list first, and then what an update has changed, and why", () => {
    const first = ended("plan", { steps: [step("Look", "now"), step("Write", "open")] });
    const second = ended("plan", { steps: [step("Look", "done"), step("Write", "open")], note: "It is seen." });
    expect(linesOf(first, second, second)).toEqual([
      ["✓ plan 0/2 · Look", "    [>] Look", "    [ ] Write"],
      ["✓ plan 1/2", "    It is seen.", "    [x] Look"],
      ["✓ plan 1/2", "    It is seen."],
    ]);
  });

  it.each([
    [{ accepted: true, choice: "edits" }, ["✓ present_plan accepted: edits", "    [ ] Write"]],
    [{ accepted: false, change: "less" }, ["✓ present_plan to be changed: less"]],
    [{ accepted: false, next: "ask" }, ["✓ present_plan refused"]],
    [
      { accepted: true, choice: "edits", problem: "The mode stays." },
      ["✓ present_plan accepted, but: The mode", "    stays.", "    [ ] Write"],
    ],
  ])("say what a person answered: %j", (content, lines) => {
    expect(linesOf(ended("present_plan", { plan: "I write.", steps: ["Write"] }, content))).toEqual([lines]);
  });

  it("hold the whole plan where its question is not on the screen", () => {
    const plan = "I write.\n\nNothing else.";
    const past = ended("present_plan", { plan }, { accepted: true, choice: "ask" }, { started: false });
    expect(linesOf(past)).toEqual([["✓ present_plan accepted: ask", "    I write.", "", "    Nothing else."]]);
  });

  it("are left to others for other calls, and for calls that failed", () => {
    const failed = { outcome: "failure", result: { tool: "plan", status: "failure", content: "no" } };
    expect(
      linesOf(
        ended("read", { file: "a" }),
        ended("plan", { steps: [] }, "no", failed),
        ended("plan", { steps: 1 as never }),
      ),
    ).toEqual([undefined, undefined, undefined]);
  });

  it("let no control character of a model reach the screen, and stay in their columns", () => {
    const evil = "a\u001b[2Jb\u009b3Jc\u202ed\r".repeat(6);
    const texts = linesOf(
      ended("plan", { steps: [step(evil, "now")], note: evil }),
      ended("present_plan", { plan: evil, steps: [evil] }, { accepted: false, change: evil }, { started: false }),
    ).flatMap((lines) => lines ?? []);
    expect(texts.length).toBeGreaterThan(3);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    for (const text of texts) expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    for (const text of texts) expect([...text].length).toBeLessThanOrEqual(40);
  });
});
