import { describe, expect, it } from "vitest";
import { readPlan } from "./plan.ts";
import { changedSteps, isDone, planText } from "./plan-view.ts";

const step = (text: string, state: string) => ({ step: text, state });

describe("readPlan", () => {
  it.each([
    ["steps in order", { steps: [step("Look", "done"), step("Change", "now")] }],
    ["no steps at all, which puts a plan aside", { steps: [] }],
    ["a note", { steps: [step("Look", "open")], note: "The test was wrong." }],
    ["fifty steps", { steps: Array.from({ length: 50 }, (_, at) => step(`Step ${at}`, "open")) }],
  ])("takes %s", (_, args) => {
    expect(readPlan(args)).toEqual(args);
  });

  it("puts a step of several lines into one", () => {
    expect(readPlan({ steps: [step(" Look\n at  it ", "now")], note: "" })).toEqual({
      steps: [step("Look at it", "now")],
    });
  });

  it.each([
    ["nothing", undefined, "`steps` is no array"],
    ["a text", { steps: "Look" }, "`steps` is no array"],
    ["51 steps", { steps: Array(51).fill(step("Look", "open")) }, "There are 51 steps. Give at most 50"],
    ["an empty step", { steps: [step("Look", "open"), step(" ", "open")] }, "Step 2 says nothing"],
    ["a long step", { steps: [step("x".repeat(201), "open")] }, "Step 1 has 201 characters. Give at most 200."],
    ["an unknown state", { steps: [step("Look", "pending")] }, "of these: open, now, done, dropped"],
    ["two that are now", { steps: [step("Look", "now"), step("Change", "now")] }, "2 steps are `now`"],
    ["a long note", { steps: [], note: "x".repeat(501) }, "at most 500 characters"],
    ["a step that is null", { steps: [null] }, "Step 1 says nothing"],
  ])("says what is wrong with %s", (_, args, problem) => {
    expect(readPlan(args)).toContain(problem);
  });
});

describe("a plan in a few words", () => {
  const plan = (...states: string[]) => readPlan({ steps: states.map((state, at) => step(`S${at}`, state)) });
  it.each([
    [["done", "now", "open"], "1/3 · S1", false],
    [["done", "dropped", "open"], "1/2", false],
    [["done", "dropped"], "1/1", true],
    [[], "0/0", true],
  ])("of %j is %s", (states, text, done) => {
    const read = plan(...states);
    if (typeof read === "string") throw new Error(read);
    expect([planText(read), isDone(read)]).toEqual([text, done]);
  });

  it("has the steps that an update has changed or added", () => {
    const before = { steps: [step("A", "now"), step("B", "open")] } as never;
    const after = { steps: [step("A", "done"), step("B", "open"), step("C", "open")] } as never;
    expect(changedSteps(after, before)).toEqual([step("A", "done"), step("C", "open")]);
    expect(changedSteps(after, undefined)).toHaveLength(3);
  });
});
