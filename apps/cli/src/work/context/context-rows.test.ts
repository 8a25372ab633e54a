import type { LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { contextText } from "./context-rows.ts";
import { promptSections } from "./prompt-sections.ts";

const text = (tokens: number) => "word".repeat(tokens);
const files = "Use tabs.".repeat(100);
const skills = "- review: reviews.".repeat(50);
const sections = promptSections(files, [{ name: "skills", instructions: skills }, { name: "plan" }]);

const log = [
  { type: "user", content: text(1000), timestamp: 1 },
  {
    type: "record",
    kind: "request",
    data: {
      system: `${text(100)}\n\n${files}\n\n${skills}`,
      tools: [{ name: "read", description: text(100), parameters: {} }],
      hashes: { system: "a", tools: "b" },
    },
    timestamp: 1,
  },
  { type: "respond", content: text(500), timestamp: 1 },
] as unknown as LogEvent[];

const choice = { used: 0, isEstimated: true, window: undefined, sections };

describe("what fills the context", () => {
  it("has the named parts of the system prompt, the tools and the messages, and adds up to all of it", () => {
    const shown = contextText(log, { ...choice, window: 10_000 });
    const amounts = shown?.rows.map(
      ([name, row]) => [name, Number(/[\d,]+/.exec(row)?.[0].replaceAll(",", ""))] as const,
    );
    expect(Object.fromEntries(amounts ?? [])).toMatchObject({
      "system prompt": 101,
      "instruction files": 225,
      skills: 225,
      "what you said": 1000,
      answers: 500,
    });
    expect(shown?.rows.map(([name]) => name)).toContain("tools (1)");
    const all = amounts?.slice(0, -1).reduce((sum, [, amount]) => sum + amount, 0) ?? 0;
    const head = Number(/about ([\d,]+) of 10,000/.exec(shown?.head ?? "")?.[1]?.replaceAll(",", ""));
    expect(Math.abs(head - all)).toBeLessThanOrEqual(amounts?.length ?? 0);
    expect(amounts?.at(-1)).toEqual(["free", 10_000 - head]);
    expect(shown?.rows[4]).toEqual(["what you said", expect.stringMatching(/^about 1,000, 10 % ▆+$/)]);
  });

  it("keeps the shares of the parts where a server has counted otherwise", () => {
    const shown = contextText(log, { ...choice, used: 4400, isEstimated: false, window: 100_000 });
    expect(shown?.head).toBe("context: 4,400 of 100,000 tokens, 4 %; its parts are estimated");
    const said = shown?.rows.find(([name]) => name === "what you said")?.[1] ?? "";
    expect(Number(/about ([\d,]+)/.exec(said)?.[1]?.replaceAll(",", ""))).toBeGreaterThan(1900);
  });

  it("says that the window is not known, and what a summary would free", () => {
    expect(contextText(log, choice)?.head).toMatch(/how many the model takes is not known/);
    expect(contextText(log.slice(1), choice)?.freed).toBe("/compact would free nothing now.");
    expect(contextText(Array(5).fill(log).flat(), choice)?.freed).toMatch(
      /^\/compact would free about [\d,]+ tokens\.$/,
    );
  });

  it("has the tools in the system prompt where the text protocol teaches them, and nothing before the first request", () => {
    const plain = log.map((event) =>
      event.type === "record" ? { ...event, data: { system: text(100), hashes: { system: "a" } } } : event,
    ) as LogEvent[];
    expect(contextText(plain, choice)?.rows[0]?.[0]).toBe("system prompt with tools");
    expect(contextText([], choice)).toBeUndefined();
  });
});
