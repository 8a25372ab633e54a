import type { LimitReached } from "@cogency/agent";
import { describe, expect, it } from "vitest";
import { CheckIn, type CheckInOptions } from "./check-in.ts";

const signal = new AbortController().signal;

function reached(reason: LimitReached["stop"]["reason"], steps: number, seconds: number, of = "run"): LimitReached {
  return {
    stop: { reason, message: "", context: { of } },
    used: { steps, seconds, tokens: 0, toolCalls: 0 },
    conversation: "c",
    signal,
  };
}

function asking(options: CheckInOptions, answer: unknown) {
  const asked: string[] = [];
  const checkIn = new CheckIn(options, async ({ message }) => {
    asked.push(message);
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { checkIn, asked };
}

describe("a turn of a chat", () => {
  it("has no limit of its own but those that a person has set", () => {
    const { budget } = asking({}, true).checkIn;
    expect(budget).toMatchObject({ steps: 100, seconds: 1800, cost: Infinity, tokens: Infinity, toolCalls: Infinity });
    expect(asking({ maxCost: 2, maxSteps: 40 }, true).checkIn.budget).toMatchObject({ steps: 40, cost: 2 });
  });

  it("asks after a hundred steps or thirty minutes, and goes on for as much again", async () => {
    const { checkIn, asked } = asking({}, true);
    expect(await checkIn.atLimit(reached("steps_limit", 100, 60))).toMatchObject({ steps: 200, seconds: 1860 });
    expect(await checkIn.atLimit(reached("time_limit", 120, 1860))).toMatchObject({ steps: 220, seconds: 3660 });
    expect(asked).toEqual([
      "This turn has taken 100 steps and 1 minute. Is it to go on? (/budget changes when you are asked.)",
      "This turn has taken 120 steps and 31 minutes. Is it to go on? (/budget changes when you are asked.)",
    ]);
  });

  it("goes on without a question where the person has said something since", async () => {
    const { checkIn, asked } = asking({ askAfterSteps: 10 }, false);
    checkIn.heard();
    expect(await checkIn.atLimit(reached("steps_limit", 10, 0))).toMatchObject({ steps: 20 });
    expect(asked).toEqual([]);
    expect(await checkIn.atLimit(reached("steps_limit", 20, 0))).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  it.each<[what: string, options: CheckInOptions, answer: unknown, limit: LimitReached]>([
    ["the person says no", {}, false, reached("steps_limit", 100, 0)],
    ["the person does not answer", {}, new Error("left"), reached("steps_limit", 100, 0)],
    ["its own limit of steps is reached", { maxSteps: 100 }, true, reached("steps_limit", 100, 0)],
    ["its own limit of time is reached", { maxSeconds: 60 }, true, reached("time_limit", 3, 60)],
    ["the limit of the cost is reached", { maxCost: 1 }, true, reached("cost_limit", 3, 60)],
    ["a limit of the conversation is reached", {}, true, reached("steps_limit", 100, 0, "conversation")],
  ])("ends where %s", async (_what, options, answer, limit) => {
    expect(await asking(options, answer).checkIn.atLimit(limit)).toBeUndefined();
  });
});
