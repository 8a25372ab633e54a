import { describe, expect, it, vi } from "vitest";
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

describe("a schema that demands more work with each line", () => {
  const bomb = { type: "object", ...doubling(60) };
  const many = { type: "object", properties: { a: { type: "array", uniqueItems: true } } };

  it("for arguments stops neither the process nor another call", async () => {
    const { results } = await attacked({
      behaviour: offering(tool("echo"), tool("bomb", { inputSchema: bomb })),
      steps: [["evil__bomb", "evil__echo"]],
    });
    expect(results.map(({ status }) => status)).toEqual(["failure", "success"]);
    expect(results[0]?.content).toContain("the arguments could not be checked");
  });

  it.each<[string, object, unknown, string]>([
    ["references that double", bomb, {}, "failure"],
    ["items that are each compared to each", many, { a: Array.from({ length: 80_000 }, (_, at) => [at]) }, "success"],
  ])(
    "for results (%s) stops neither the process nor another call",
    async (_, outputSchema, structuredContent, status) => {
      const { results } = await attacked({
        behaviour: {
          ...offering(tool("echo"), tool("bomb", { outputSchema })),
          "tools/call": ({ params }) => said("honest", params.name === "bomb" ? { structuredContent } : {}),
        },
        steps: [["evil__bomb", "evil__echo"]],
      });
      expect(
        results.map((result) => result.status),
        results[0]?.content.slice(0, 300),
      ).toEqual([status, "success"]);
    },
  );
});

describe("a schema for results", () => {
  it("of one server never stands in place of that of another, nor of an older one, whatever it calls itself", async () => {
    const $id = "https://example.com/result";
    const ofType = (type: string) =>
      tool("echo", { outputSchema: { $id, type: "object", properties: { a: { type } } } });
    const answering = (type: string, a: unknown) =>
      attacked({
        behaviour: { ...offering(ofType(type)), "tools/call": () => said("", { structuredContent: { a } }) },
      });
    const statuses: unknown[] = [];
    for (const [type, a] of [
      ["number", 1],
      ["string", "x"],
      ["string", 1],
    ] as const)
      statuses.push((await answering(type, a)).results[0]?.status);
    expect(statuses).toEqual(["success", "success", "failure"]);
  });

  it("writes nothing to the terminal of the host, also with a format that is a text of escape sequences", async () => {
    const written = (["log", "warn", "error", "info", "debug"] as const).map((name) => vi.spyOn(console, name));
    const outputSchema = { type: "object", properties: { a: { type: "string", format: "\u001b[2J" } } };
    const { results } = await attacked({
      behaviour: {
        ...offering(tool("echo", { outputSchema })),
        "tools/call": () => said("", { structuredContent: { a: "x" } }),
      },
    });
    const lines = written.flatMap(({ mock }) => mock.calls);
    vi.restoreAllMocks();
    expect(results[0]?.status).toBe("success");
    expect(lines).toEqual([]);
  });
});

/** Each part refers twice to the one before. */
function doubling(levels: number): object {
  const $defs: Record<string, object> = { d0: { type: "object" } };
  for (let at = 1; at <= levels; at++)
    $defs[`d${at}`] = { allOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] };
  return { $defs, allOf: [{ $ref: `#/$defs/d${levels}` }] };
}

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
  ])("(%s) is left out and told, and the others are there", async (_, broken) => {
    const { problems, results } = await attacked({
      behaviour: offering(tool("echo"), broken),
      steps: [["evil__echo"]],
    });
    expect(results[0]?.status).toBe("success");
    expect(problems).toEqual([expect.stringMatching(/^(The tool "bomb"|A tool without a name) is left out: /)]);
  });

  it.each<[string, unknown]>([
    ["a text", "tools"],
    ["an object", { echo: tool("echo") }],
    ["nothing", undefined],
  ])("as a whole list (%s) stops neither the run nor the honest server", async (_, tools) => {
    const { events } = await attacked({ behaviour: { "tools/list": () => ({ tools }) }, steps: [] });
    expect(JSON.stringify(events)).toContain("broke the protocol: its list of tools is none");
  });
});

function circle(a: string, b: string) {
  return { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: a }, b: { $ref: b } } };
}
