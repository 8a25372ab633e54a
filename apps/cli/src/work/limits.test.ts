import { describe, expect, it } from "vitest";
import { inPlainWords } from "../base/errors/in-plain-words.ts";
import { budgetOf, limitRows } from "./limits.ts";

describe("every limit that can end a run", () => {
  it.each(limitRows)("names its option where it ends a run: $option", ({ budget, option }) => {
    const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const message = `The limit is \`budget.${budget}\`: raise it, and go on with a new prompt.`;
    expect(inPlainWords(message)).toBe(`The limit is ${flag}: raise it, and go on with another prompt.`);
  });

  it("is not named where the command line has no option for it: the output limit of a model", () => {
    const problem = "The answer is not complete: the model reached its own output limit. Prompt for the rest.";
    const advice = "`request.maxOutputTokens` raises the limit, if the model allows more.";
    expect(inPlainWords(`${problem} ${advice}`)).toBe(problem);
  });

  it("has a usual value that a job of several hundred steps and three hours passes", () => {
    expect(budgetOf({})).toEqual({
      steps: 1000,
      seconds: 10_800,
      cost: Infinity,
      tokens: Infinity,
      toolCalls: Infinity,
      failedCalls: 8,
      repeats: 3,
      failures: 3,
    });
    expect(budgetOf({ maxSteps: 400, maxTokens: 5 })).toMatchObject({ steps: 400, tokens: 5 });
  });
});
