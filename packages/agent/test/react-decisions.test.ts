import type { RunEvent } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent } from "../src/index.ts";
import { type ReactDriverOptions, reactDriver } from "../src/react.ts";
import { echo } from "./support/fixtures.ts";
import { act, answer, calc, decide, texts } from "./support/react.ts";

describe("how ReAct asks for decisions", () => {
  const asking = async (options: ReactDriverOptions, format: boolean, steps: ScriptedStep[] = [answer("5")]) => {
    const provider = scripted(steps, { capabilities: { format } });
    const driver = reactDriver(options);
    const result = await createAgent({ provider, driver, tools: [calc, echo] }).ask("go");
    return { result, requests: provider.requests };
  };

  it("with a schema where the provider has it: a union, with the tools by name, that strict servers take", async () => {
    const decision = { type: "call_tool", tool: "echo", args: '{"text":"a"}' };
    const steps = [
      decide({ thought: "t", decision }),
      decide({ thought: "u", decision: { type: "final_answer", answer: "a" } }),
    ];
    const { result, requests } = await asking({}, true, steps);
    expect(result).toMatchObject({ status: "completed", text: "a", steps: 2, toolErrors: 0 });
    const format = requests[0]?.format as { properties: { decision: { anyOf: { properties: object }[] } } };
    expect(format.properties.decision.anyOf.map(({ properties }) => properties)).toMatchObject([
      { type: { enum: ["call_tool"] }, tool: { enum: ["calc", "echo"] } },
      { type: { enum: ["final_answer"] }, answer: { type: "string" } },
    ]);
    const objects: { additionalProperties?: unknown; properties?: object; required?: string[] }[] = [];
    JSON.stringify(format, (_, value) => {
      if (value?.type === "object") objects.push(value);
      return value;
    });
    expect(objects).toHaveLength(3);
    for (const { additionalProperties, properties = {}, required } of objects) {
      expect([additionalProperties, required]).toEqual([false, Object.keys(properties)]);
    }
    // The words show the shape of the schema.
    const examples = [...(requests[0]?.system ?? "").matchAll(/^\{"thought".*$/gm)].map(([line]) => JSON.parse(line));
    expect(examples).toMatchObject([
      { decision: { type: "call_tool", args: expect.any(String) } },
      { decision: { type: "final_answer" } },
    ]);
  });

  it("as any JSON object, or with words alone", async () => {
    const json = await asking({ output: "json" }, true);
    expect(json.requests[0]?.format).toEqual({ type: "object" });
    const words = await asking({ output: "prompt" }, true);
    expect(words.requests[0]).not.toHaveProperty("format");
    const none = await asking({}, false);
    expect(none.requests[0]).not.toHaveProperty("format");
  });

  it("refuses what the provider does not have, and what there is not", async () => {
    const { result } = await asking({ output: "schema" }, false);
    expect(result).toMatchObject({ status: "failed", error: { code: "driver" } });
    expect(result.error?.message).toContain('output is "schema", but the provider scripted takes no format');
    expect(() => reactDriver({ output: "yaml" as never })).toThrow('`output` is "yaml"');
  });

  it("without calls where there are no tools", async () => {
    const provider = scripted(
      [act("calc", {}), decide({ thought: "", decision: { type: "final_answer", answer: "Hi." } })],
      {
        capabilities: { format: true },
      },
    );
    expect(await createAgent({ provider, driver: reactDriver() }).ask("go")).toMatchObject({ text: "Hi." });
    expect(provider.requests[0]?.system).not.toContain("call_tool");
    expect(JSON.stringify(provider.requests[0]?.format)).not.toContain("call_tool");
    expect(texts(provider.requests[1]?.messages).at(-1)).toContain("There are no tools");
  });

  it("for an answer that must fit a schema, which holds for the answer alone", async () => {
    const city = z.object({ city: z.string() });
    const steps = [answer('{"town":"Rome"}'), answer('{"city":"Rome"}'), '{"city":"Roma"}'];
    const asked = async (options: ReactDriverOptions, given: ScriptedStep[]) => {
      const provider = scripted(given, { capabilities: { format: true } });
      const agent = createAgent({ provider, driver: reactDriver({ output: "prompt", ...options }) });
      return { object: (await agent.object("Where?", city).result).object, requests: provider.requests };
    };
    const direct = await asked({}, steps.slice(0, 2));
    expect(direct.object).toEqual({ city: "Rome" });
    for (const request of direct.requests) expect(request).not.toHaveProperty("format");
    const { object, requests } = await asked({ finalViaInference: true }, steps.slice(1));
    expect(object).toEqual({ city: "Roma" });
    expect(requests[1]?.format).toMatchObject({ properties: { city: { type: "string" } } });
  });

  it("does without the sessions of a provider", async () => {
    const provider = scripted([answer("Hi.")], { capabilities: { session: true } });
    const connecting = { ...provider, connect: () => Promise.reject(new Error("not this way")) };
    expect(await createAgent({ provider: connecting, driver: reactDriver() }).ask("go")).toMatchObject({ text: "Hi." });
  });
});

describe("ReAct with decisions of one's own", () => {
  const schema = z.object({ why: z.string(), do: z.enum(["add", "stop"]), numbers: z.array(z.number()).max(2) });
  const own: ReactDriverOptions<typeof schema> = {
    decision: {
      schema,
      read: ({ why, do: what, numbers: [a = 0, b = 0] }) =>
        what === "add"
          ? { thought: why, type: "call_tool", tool: "calc", args: { a, b } }
          : { thought: why, type: "final_answer", answer: why === "?" ? "" : `${a}` },
    },
  };

  it("shows their schema, reads them by it, and calls the tools", async () => {
    const steps = [
      { why: "sum", do: "add", numbers: [2, 3] },
      { why: "done", do: "stop", numbers: [5] },
    ].map(decide);
    const provider = scripted(steps, { capabilities: { format: true } });
    const result = await createAgent({ provider, driver: reactDriver(own), tools: [calc] }).ask("go");
    expect(result).toMatchObject({ status: "completed", text: "5", steps: 2, toolErrors: 0 });
    expect(provider.requests[0]?.format).toMatchObject({ properties: { do: { enum: ["add", "stop"] } } });
    expect(provider.requests[0]?.system).toContain(JSON.stringify(provider.requests[0]?.format));
    expect(provider.requests[0]?.system).toContain("- calc: ");
  });

  it.each<[string, object, string]>([
    ["do not fit the schema", { why: "sum", do: "jump", numbers: ["x"] }, "do: "],
    ["make no decision that can be used", { why: "?", do: "stop", numbers: [] }, "`answer` must be"],
  ])("gives values that %s back to the model", async (_, value, problem) => {
    const provider = scripted([decide(value), decide({ why: "done", do: "stop", numbers: [5] })]);
    const heard: RunEvent[] = [];
    const agent = createAgent({ provider, driver: reactDriver(own), tools: [calc] });
    expect(await agent.ask("go", { on: (event) => heard.push(event) })).toMatchObject({ text: "5" });
    expect(heard.filter(({ type }) => type === "validation_failed")).toMatchObject([
      { message: expect.stringContaining(problem) },
    ]);
  });

  it("takes a JSON Schema, whose values `read` checks", async () => {
    const driver = reactDriver({
      decision: {
        schema: { type: "object", properties: { say: { type: "string" } }, required: ["say"] },
        read: ({ say }) => {
          if (typeof say !== "string") throw new Error("`say` is missing.");
          return { type: "final_answer", answer: say };
        },
      },
    });
    const provider = scripted(['{"speak":"Hi."}', '{"say":"Hi."}']);
    expect(await createAgent({ provider, driver }).ask("go")).toMatchObject({ text: "Hi." });
    expect(texts(provider.requests[1]?.messages).at(-1)).toContain("`say` is missing.");
  });

  it("refuses a schema that makes no JSON Schema, or that cannot be checked at once", async () => {
    const bare = { "~standard": { version: 1, vendor: "acme", validate: (value: unknown) => ({ value }) } } as const;
    const read = () => ({ type: "final_answer", answer: "x" }) as const;
    expect(() => reactDriver({ decision: { schema: bare, read } })).toThrow(/acme makes no JSON Schema/);
    const late = z.object({}).refine(async () => true);
    const agent = createAgent({
      provider: scripted(["{}"]),
      driver: reactDriver({ decision: { schema: late, read } }),
    });
    expect(await agent.ask("go")).toMatchObject({ status: "failed", error: { code: "driver" } });
  });
});
