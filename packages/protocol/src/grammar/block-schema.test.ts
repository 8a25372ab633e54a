import { describe, expect, it } from "vitest";
import { blockSchema } from "./block-schema.ts";
import { structuralTag } from "./structural-tag.ts";

const node = { type: "object", properties: { next: { $ref: "#/$defs/node" }, root: { $ref: "#" } } };
const tools = [{ name: "a/b", description: "", parameters: { ...node, $defs: { node } } }];

describe("the schema of a block", () => {
  it("is an array of calls, and its references lead to where the schemas of the tools stand now", () => {
    const schema = JSON.parse(JSON.stringify(blockSchema({ tools })));
    expect(schema).toMatchObject({ type: "array", minItems: 1 });
    const [call] = schema.items.anyOf;
    expect(call.properties.name).toEqual({ const: "a/b" });
    expect(call.properties.args).toEqual({ $ref: "#/$defs/a~1b" });
    expect(schema.$defs["a/b"].properties).toEqual({
      next: { $ref: "#/$defs/a~1b/$defs/node" },
      root: { $ref: "#/$defs/a~1b" },
    });
  });

  it("admits other tools, by other names, if there are others", () => {
    const schema = JSON.parse(JSON.stringify(blockSchema({ tools, hasOthers: true })));
    expect(schema.items.anyOf[1].properties).toEqual({
      name: { type: "string", not: { enum: ["a/b"] } },
      args: { type: "object" },
    });
  });
});

describe("the structural tag", () => {
  it("binds what stands between the markers of a block, and ends there", () => {
    expect(structuralTag({ tools })).toMatchObject({
      type: "structural_tag",
      format: {
        type: "triggered_tags",
        triggers: ["<execute>"],
        tags: [{ begin: "<execute>", content: { type: "grammar" }, end: "</execute>" }],
        stop_after_first: true,
      },
    });
  });

  it("is none without tools", () => {
    expect(structuralTag({ tools: [] })).toBeUndefined();
  });
});
