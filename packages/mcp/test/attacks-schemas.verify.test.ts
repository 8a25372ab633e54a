import { describe, expect, it } from "vitest";
import { attacked } from "./hostile/attacked.ts";
import { offering, said, tool } from "./hostile/behaviour.ts";

const properties = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}]));

function nested(depth: number): object {
  let schema: object = { type: "string" };
  for (let at = 0; at < depth; at++) schema = { type: "object", properties: { a: schema } };
  return schema;
}

describe.concurrent("a schema that is a bomb", () => {
  it.each<[string, unknown]>([
    ["20,000 properties", { type: "object", properties: properties(20_000) }],
    ["80 levels", nested(40)],
    ["a text of a megabyte", { type: "object", description: "x".repeat(1_000_000) }],
  ])("of %s leaves out its tool, and says so; the others are offered", async (_, inputSchema) => {
    const { offered, problems } = await attacked({ behaviour: offering(tool("echo"), tool("bomb", { inputSchema })) });
    expect([...offered.keys()]).toContain("evil__echo");
    expect([...offered.keys()]).not.toContain("evil__bomb");
    expect(problems.join()).toMatch(/"bomb" is left out|nested deeper/);
  });

  it.each<[string, unknown, string]>([
    ["600 levels", nested(300), "nested deeper than 200 levels"],
    ["100,000 properties", { type: "object", properties: properties(100_000) }, "more than 50000 values"],
  ])("of %s leaves out its server, with a sentence", async (_, inputSchema, why) => {
    const { events } = await attacked({ behaviour: offering(tool("bomb", { inputSchema })), steps: [] });
    expect(JSON.stringify(events)).toContain(why);
  });

  it.each<[string, unknown]>([
    ["a reference to itself", { type: "object", properties: { a: { $ref: "#" } } }],
    ["references in a circle", circle("#/$defs/b", "#/$defs/a")],
    ["a reference to nowhere", { type: "object", properties: { a: { $ref: "#/$defs/none" } } }],
    [
      "a reference to another host",
      { type: "object", properties: { a: { $ref: "https://evil.example/schema.json" } } },
    ],
    ["a pattern that takes for ever", { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } }],
    ["patterns of names that take for ever", { type: "object", patternProperties: { "^(a+)+$": { type: "string" } } }],
    ["a pattern that is none", { type: "object", properties: { a: { type: "string", pattern: "(" } } }],
  ])("of %s holds up neither the list nor a call", async (_, inputSchema) => {
    const long = "a".repeat(60);
    const { results, offered } = await attacked({
      behaviour: offering(tool("echo"), tool("bomb", { inputSchema })),
      steps: [[{ name: "evil__bomb", args: { a: `${long}!`, [`${long}!`]: "x" } }, "evil__echo"]],
    });
    expect([...offered.keys()]).toContain("evil__echo");
    expect(results[1]).toEqual({ tool: "evil__echo", status: "success", content: "honest" });
    expect(results[0]?.content.length).toBeLessThan(3000);
  });

  it("for its results is applied without its patterns", async () => {
    const outputSchema = {
      type: "object",
      properties: { a: { type: "string", pattern: "^(a+)+$" }, b: { type: "number" } },
    };
    const { results } = await attacked({
      behaviour: {
        ...offering(tool("echo", { outputSchema, inputSchema: { type: "object", properties: { b: {} } } })),
        "tools/call": ({ params }) =>
          said("", { structuredContent: { a: `${"a".repeat(60)}!`, b: params.arguments.b } }),
      },
      steps: [
        [
          { name: "evil__echo", args: { b: 1 } },
          { name: "evil__echo", args: { b: "x" } },
        ],
      ],
    });
    expect(results.map(({ status }) => status)).toEqual(["success", "failure"]);
    expect(results[1]?.content).toContain("is not what the server evil promises");
  });
});

describe.concurrent("a definition that is none", () => {
  it.each<[string, unknown]>([
    ["no object", 5],
    ["null", null],
    ["without a name", { inputSchema: { type: "object" } }],
    ["without a schema", { name: "bomb" }],
    ["a schema of another type", tool("bomb", { inputSchema: { type: "string" } })],
    ["a schema that is a list", tool("bomb", { inputSchema: [] })],
    ["a description that is an object", tool("bomb", { description: { text: "x" } })],
    ["annotations that are a text", tool("bomb", { annotations: "readOnly" })],
  ])("(%s) stops neither the run nor the honest server", async (_, broken) => {
    const { states, results } = await attacked({ behaviour: offering(tool("echo"), broken), steps: [["evil__echo"]] });
    const evil = states.find(({ name }) => name === "evil");
    if (evil?.status === "ready") expect(results[0]?.status).toBe("success");
    else expect(evil?.reason).toMatch(/^The server evil .*\.$/);
  });
});

function circle(a: string, b: string) {
  return { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: a }, b: { $ref: b } } };
}
