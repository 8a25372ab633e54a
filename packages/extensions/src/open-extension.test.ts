import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineExtension } from "./define-extension.ts";
import { type OpenExtensionOptions, openExtension } from "./open-extension.ts";

const tool = (name: string, more: object = {}) =>
  defineTool({ name, description: `Does ${name}.`, input: { type: "object" }, execute: () => name, ...more });

const opened = (value: unknown, options?: OpenExtensionOptions) => openExtension({ default: value }, options);
const namesOf = async (value: unknown, options?: OpenExtensionOptions) =>
  (await opened(value, options)).capability.tools?.map(({ name }) => name) ?? [];
const problemsOf = async (value: unknown, options?: OpenExtensionOptions) =>
  (await opened(value, options)).problems.map(({ code, message }) => `${code} ${message}`);

describe("what a module may export", () => {
  it.each<[what: string, value: unknown]>([
    ["a tool", tool("a")],
    ["a list of tools", [tool("a")]],
    ["an extension", { tools: [tool("a")] }],
    ["a function that makes a tool", () => tool("a")],
    ["a function that makes one later", async () => ({ name: "own", tools: [tool("a")] })],
    ["what a compiler makes of ESM", { __esModule: true, default: [tool("a")] }],
  ])("may be %s", async (_, value) => {
    expect(await namesOf(value)).toEqual(["a"]);
    expect(await problemsOf(value)).toEqual([]);
  });

  it("may be given as the default export alone", async () => {
    expect((await openExtension(tool("a"))).capability.tools).toHaveLength(1);
  });

  it.each<[what: string, value: unknown, problem: RegExp]>([
    ["nothing", undefined, /^export_unusable it exports by default no tool/],
    ["a text", "tool", /^export_unusable /],
    ["a function that makes nothing", () => undefined, /^export_unusable /],
    ["an object without a part", {}, /^export_unusable it exports by default no tool/],
    ["an object with another part", { tools: [], provider: 1 }, /^export_unusable it has no part "provider"/],
    ["tools that are no list", { tools: tool("a") }, /^export_unusable its tools are no list/],
    ["a thousand tools", Array(1000).fill(tool("a")), /^export_unusable it brings more than 128 tools/],
    ["a function that throws", () => Promise.reject(new Error("no key\nhere")), /^factory_failed its .*: no key$/],
    ["a function that throws what cannot be read", () => Promise.reject({ toString: 1 }), /^factory_failed /],
    ["a class", class Tool {}, /^factory_failed .*without 'new'/],
    ["a getter that throws", Object.defineProperty({}, "tools", { get: thrower }), /^export_unusable gone/],
    ["a proxy that throws", new Proxy({}, { get: thrower, has: thrower }), /^export_unusable gone/],
  ])("is a problem if it is %s", async (_, value, problem) => {
    const found = await problemsOf(value);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(problem);
    expect(await namesOf(value)).toEqual([]);
  });

  it("is a problem if its function never ends", async () => {
    const never = () => new Promise(() => {});
    expect(await problemsOf(never, { timeout: 5 })).toEqual(["timed_out it did not begin within 0.005 s"]);
  });
});

function thrower(): never {
  throw new Error("gone");
}

describe("one bad tool among good ones", () => {
  const circle: Record<string, unknown> = { type: "object" };
  circle.self = circle;
  let bomb: object = { type: "string" };
  for (let level = 0; level < 30; level++) bomb = { anyOf: [bomb, bomb] };
  const withSchema = (parameters: unknown) => ({ ...tool("bad"), spec: { ...tool("bad").spec, parameters } });
  it.each<[what: string, bad: unknown, problem: RegExp]>([
    ["no object", 7, /^tool_invalid the tool no\. 2 is left out: it is no tool/],
    ["no tool", { name: "bad" }, /^tool_invalid the tool "bad" .*: it lacks validate, execute, spec/],
    ["a malformed name", { ...tool("bad"), name: "a b" }, /^tool_invalid the tool "a b" .*a name begins with a letter/],
    ["no name", { ...tool("bad"), name: "" }, /^tool_invalid the tool no\. 2 /],
    ["a name of the protocol", { ...tool("bad"), name: "execute" }, /^tool_invalid .*marker/],
    ["the name of another tool", tool("good"), /^name_taken the tool "good" is left out: another one has this name/],
    ["the name of a built-in tool", tool("shell"), /^name_taken the tool "shell" /],
    ["a long description", { ...tool("bad"), description: "x".repeat(1_048_576) }, /^tool_invalid .*8192 characters/],
    ["a schema that refers to itself", withSchema(circle), /^tool_invalid .*32 objects inside each other/],
    ["a schema that is endless as text", withSchema({ type: "object", properties: { bomb } }), /^tool_invalid /],
    [
      "a schema that servers refuse",
      withSchema({ type: "object", properties: { a: { type: "text" } } }),
      /no JSON Schema: properties\.a\.type must be one of/,
    ],
    ["a schema of no object", withSchema({ type: "string" }), /^tool_invalid .*always an object/],
    ["a schema that is no JSON", withSchema({ type: "object", default: 1n }), /^tool_invalid .*default is no JSON/],
    [
      "a schema with __proto__",
      withSchema(JSON.parse('{"type":"object","properties":{"__proto__":{}}}')),
      /^tool_invalid .*__proto__/,
    ],
    [
      "a reference that leads nowhere",
      withSchema({ type: "object", properties: { a: { $ref: "#/$defs/a" } } }),
      /^tool_invalid .*leads nowhere/,
    ],
    ["an endless time", { ...tool("bad"), timeout: -1 }, /^tool_invalid .*timeout/],
    [
      "a getter that throws",
      Object.defineProperty({}, "name", { get: thrower }),
      /^tool_invalid the tool no\. 2 .*gone/,
    ],
  ])("is left out with one line if it has %s", async (_, bad, problem) => {
    const options = { taken: new Set(["shell"]) };
    const { capability, problems } = await opened([tool("good"), bad, tool("fine")], options);
    expect(capability.tools?.map(({ name }) => name)).toEqual(["good", "fine"]);
    expect(problems).toHaveLength(1);
    expect(`${problems[0]?.code} ${problems[0]?.message}`).toMatch(problem);
    expect(problems[0]?.message).not.toContain("\n");
  });
});

describe("a tool of an extension", () => {
  it("keeps what it was when it was looked at", async () => {
    const own = { ...tool("a"), description: "Before." } as { description: string; name: string };
    const { capability } = await opened(own);
    own.description = "After.";
    expect(capability.tools?.[0]).toMatchObject({ description: "Before.", spec: { description: "Before." } });
  });

  it("may say that it only reads, unless its claims do not count", async () => {
    const reading = tool("a", { annotations: { readOnlyHint: true, openWorldHint: true }, approval: "allow" });
    const [free, bound] = [await opened(reading), await opened(reading, { claims: false })];
    expect(free.capability.tools?.[0]).toMatchObject({ annotations: { readOnlyHint: true }, approval: "allow" });
    expect(bound.capability.tools?.[0]?.annotations).toEqual({ openWorldHint: true });
    expect(bound.capability.tools?.[0]).not.toHaveProperty("approval");
    expect(bound.capability.tools?.[0]?.spec).not.toHaveProperty("readOnly");
  });

  it("checks arguments as its own schema does, and runs with its own object", async () => {
    class Counter {
      readonly #start = 40;
      tool = () => {
        const start = this.#start;
        return defineTool({
          name: "add",
          description: "Adds.",
          input: z.object({ n: z.number().refine((n) => n < 10, "too large") }),
          execute: ({ n }) => start + n,
        });
      };
    }
    const calls = (n: number) => `<execute>[{"name":"add","args":{"n":${n}}}]</execute>`;
    const { capability } = await opened(new Counter().tool());
    const provider = scripted([calls(2), calls(50), "Done.<end>"]);
    const agent = createAgent({ provider }).use(capability);
    const run = agent.run("Add.", { conversation: "c" });
    let results = "";
    for await (const event of run) if (event.type === "result") results += event.content;
    expect(results).toContain("42");
    expect(results).toContain("too large");
  });
});

describe("hooks and instructions", () => {
  it("reach the agent, and a hook blocks a call of it", async () => {
    const guard = { name: "guard", beforeToolUse: () => ({ block: "not today" }) };
    const { capability, problems } = await opened({ tools: [tool("a")], hooks: [guard], instructions: "Be kind." });
    expect(problems).toEqual([]);
    const provider = scripted(['<execute>[{"name":"a","args":{}}]</execute>', "Done.<end>"]);
    const run = createAgent({ provider }).use(capability).run("Go.", { conversation: "c" });
    let results = "";
    for await (const event of run) if (event.type === "result") results += event.content;
    expect(results).toContain("not today");
  });

  it.each<[what: string, made: object, code: string]>([
    ["a hook without a point", { hooks: [{ name: "g" }] }, "hook_invalid"],
    ["a hook at a point that there is not", { hooks: [{ name: "g", beforeToolUze() {} }] }, "hook_invalid"],
    ["a hook that is none", { hooks: ["g"] }, "hook_invalid"],
    ["hooks that are no list", { hooks: 1 }, "hook_invalid"],
    [
      "a hook with a getter that throws",
      { hooks: [Object.defineProperty({}, "name", { get: thrower })] },
      "hook_invalid",
    ],
    ["instructions that are no text", { instructions: 1 }, "instructions_invalid"],
    ["instructions without an end", { instructions: "x".repeat(20_000) }, "instructions_invalid"],
  ])("make all of it unusable if it has %s, since its tools may count on them", async (_, made, code) => {
    const { capability, problems } = await opened({ tools: [tool("a")], ...made });
    expect(capability.tools).toBeUndefined();
    expect(problems.map((problem) => problem.code)).toEqual([code]);
  });
});

describe("skills and commands", () => {
  const skill = { name: "ship", description: "Ships.", text: "Ship it." };
  const command = { name: "ship", description: "Ships.", text: "Ship $1.", argumentHint: "<version>" };

  it("are read beside the tools", async () => {
    const { skills, commands, problems } = await opened({ skills: [skill], commands: [command] });
    expect(problems).toEqual([]);
    expect(skills).toEqual([skill]);
    expect(commands).toEqual([command]);
  });

  it("are left out one by one", async () => {
    const { skills, commands, problems } = await opened({
      skills: [{ ...skill, name: "A B" }, skill, { ...skill, text: "" }, skill],
      commands: [{ ...command, text: () => "text" }, command, { ...command, name: "../x" }],
    });
    expect([skills.length, commands.length]).toEqual([1, 1]);
    expect(problems.map(({ code }) => code)).toEqual([
      ...["skill_invalid", "skill_invalid", "name_taken"],
      ...["command_invalid", "command_invalid"],
    ]);
  });
});

describe("options", () => {
  const withOptions = defineExtension(z.object({ url: z.url(), retries: z.int().default(3) }), ({ url, retries }) =>
    tool("a", { description: `${url} ${retries}` }),
  );

  it("reach the function as its schema makes them", async () => {
    const { capability } = await opened(withOptions, { options: { url: "https://a.example" } });
    expect(capability.tools?.[0]?.description).toBe("https://a.example 3");
  });

  it("that are wrong are told by key", async () => {
    expect(await problemsOf(withOptions, { options: { url: "x", retries: "3" } })).toEqual([
      expect.stringMatching(/^options_invalid its options are wrong: options\.url: .*; options\.retries: /),
    ]);
    expect(await problemsOf(tool("a"), { options: { url: "x" } })).toEqual([
      "options_invalid it takes no options, since it exports no function",
    ]);
  });

  it("may have their schema in an export of their own, and need none", async () => {
    const module = { default: (given: object) => tool("a", { description: JSON.stringify(given) }) };
    const open = async (one: object) => (await openExtension(one, { options: { n: "1" } })).capability.tools?.[0];
    expect((await open(module))?.description).toBe('{"n":"1"}');
    expect((await open({ ...module, options: z.object({ n: z.coerce.number() }) }))?.description).toBe('{"n":1}');
  });

  it("defineExtension refuses what is no schema, and no function", () => {
    expect(() => defineExtension({} as never, () => [])).toThrow("takes the schema of its options first");
    expect(() => defineExtension(z.object({}), 1 as never)).toThrow("make");
  });
});
