import { readFileSync } from "node:fs";
import { type Provider, scripted, withRetry } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "./agent-options.ts";
import { createAgent } from "./create-agent.ts";
import { foreignOptions } from "./foreign-options.ts";

const provider = scripted([]);
const named = foreignOptions.flatMap(([names, instead]) => names.split(" ").map((name) => [name, instead] as const));

/** Runs a line of JavaScript with a real `createAgent` and agent, and stand-ins for the packages that the agent does not know. */
async function run(line: string): Promise<void> {
  const scope = {
    agent: createAgent({ provider: scripted(["Paris."]) }),
    createAgent: (options: Partial<AgentOptions>) => createAgent({ provider, ...options }),
    openai: (): Provider => provider,
    provider,
    sqliteStore: async () => memoryStore(),
    withRetry,
    console: { log() {} },
  };
  const body = new Function(...Object.keys(scope), `return (async () => { ${line}\n })()`);
  await body(...Object.values(scope));
}

describe("an option of another library", () => {
  it.each<[name: string, instead: string]>([
    ["system", "instructions: "],
    ["name", "identity: "],
    ["model", "provider: openai({ model: "],
    ["apiKey", "provider: openai({ apiKey: "],
    ["messages", "agent.run("],
    ["prompt", "agent.run("],
    ["maxSteps", "budget: { steps: "],
    ["stopWhen", "budget: { steps: "],
    ["maxTokens", "request: { maxOutputTokens: "],
    ["topP", "request: { options: "],
    ["memory", "store: "],
  ])("that createAgent gets is refused with what to write instead: %s", (name, instead) => {
    expect(() => createAgent({ provider, [name]: "x" } as AgentOptions)).toThrow(
      `createAgent has no option \`${name}\` (given: a string). Write \``,
    );
    expect(() => createAgent({ provider, [name]: "x" } as AgentOptions)).toThrow(instead);
  });

  it.each(named)("%s has advice that is valid code", async (_, instead) => {
    await run(instead);
  });

  it("is in coming-from.md, with the same advice", () => {
    const page = readFileSync(new URL("../docs/coming-from.md", import.meta.url), "utf8");
    const told = page.split("\n").filter((line) => line.startsWith("| `"));
    const quoted = (names: string) => names.replaceAll(/\S+/g, "`$&`").replaceAll(" ", ", ");
    expect(told).toEqual(foreignOptions.map(([names, instead]) => `| ${quoted(names)} | \`${instead}\` |`));
  });

  it("stands once in the table, and is not an option of ours", () => {
    const names = named.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names.filter((one) => one !== "model")) {
      expect(() => createAgent({ provider, [name]: "x" } as AgentOptions)).toThrow(/Write `/);
      expect(() => createAgent({ provider }).run("Hi", { [name]: "x" })).toThrow(/Write `/);
    }
  });
});

describe("an object literal with an unknown option does not compile", () => {
  it("for createAgent", () => {
    const makers = [
      // @ts-expect-error it is `instructions`
      () => createAgent({ provider, system: "Be brief." }),
      // @ts-expect-error it is `provider`
      () => createAgent({ provider, model: "gpt-5.5" }),
      // @ts-expect-error the store holds them
      () => createAgent({ provider, messages: [] }),
      // @ts-expect-error it is `budget.steps`
      () => createAgent({ provider, maxSteps: 5 }),
      // @ts-expect-error it is `request.maxOutputTokens`
      () => createAgent({ provider, request: { maxTokens: 5 } }),
    ];
    for (const make of makers) expect(make).toThrow(TypeError);
  });

  it("for run", () => {
    const agent = createAgent({ provider });
    const starters = [
      // @ts-expect-error it is `signal`
      () => agent.run("Hi", { abortSignal: AbortSignal.abort() }),
      // @ts-expect-error it is `conversation`
      () => agent.run("Hi", { threadId: "t" }),
      // @ts-expect-error a run is iterated
      () => agent.run("Hi", { onEvent: () => {} }),
    ];
    for (const start of starters) expect(start).toThrow(TypeError);
  });
});
