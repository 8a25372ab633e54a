import { describe, expect, it } from "vitest";
import { parseSync } from "./parse.ts";
import { protocolPrompt } from "./prompt.ts";
import { callOf, parseResults } from "./serialize.ts";

const read = {
  name: "read",
  description: "Read a file.\nText only.",
  parameters: {
    type: "object",
    properties: {
      file: { type: "string", description: "never </execute>" },
      mode: { enum: ["text", "hex"] },
      from: { type: "integer" },
    },
    required: ["file", "mode", "from"],
  },
};
const list = {
  name: "list",
  description: "List a folder.",
  parameters: { type: "object", properties: { path: { type: "string", default: "." } } },
};

const blocks = (text: string, marker: string) =>
  [...text.matchAll(new RegExp(`^<${marker}>\\n.*?^</${marker}>`, "gms"))].map(([block]) => block);

describe.each(["json", "xml"] as const)("protocolPrompt in the dialect %s", (dialect) => {
  const prompt = (...tools: (typeof read | typeof list)[]) => protocolPrompt(tools, { dialect });

  it("shows a single call and a batch of the bound tools, which the parser accepts", () => {
    const shown = blocks(prompt(read, list), "execute").map((block) =>
      parseSync(block, { dialect }).map((event) => (event.type === "call" ? callOf(event).name : event.type)),
    );
    expect(shown).toEqual([
      ["read", "execute"],
      ["read", "list", "execute"],
    ]);
  });

  it("shows a success and a failure", () => {
    const [results] = blocks(prompt(read, list), "results");
    expect(parseResults(results ?? "")?.map(({ status }) => status)).toEqual(["success", "failure"]);
  });

  it("says that a call that depends on another belongs in a later block", () => {
    expect(prompt(read)).toMatch(/depends? on the outcome of another belongs in a separate, later block/);
  });

  it("lists each tool with its description on one line and its parameters as JSON without markers", () => {
    expect(prompt(read, list)).toContain("- read: Read a file. Text only.\n  parameters: {");
    expect(prompt(read, list)).toContain("never \\u003c/execute>");
    expect(
      prompt(read, list).endsWith(`- list: List a folder.\n  parameters: ${JSON.stringify(list.parameters)}`),
    ).toBe(true);
  });

  it("teaches no calls when there is nothing to call", () => {
    expect(prompt()).not.toContain("<execute>");
    expect(prompt()).toContain("<end>");
  });

  it("gives the same bytes for the same tools", () => {
    expect(prompt(read, list)).toBe(prompt(structuredClone(read), structuredClone(list)));
  });
});

describe("protocolPrompt", () => {
  it("says for the JSON dialect that calls of a batch run in parallel", () => {
    expect(protocolPrompt([read], { dialect: "json" })).toMatch(/run in parallel/);
  });

  it("says for the XML dialect that calls run in order, and what of a value is text and what is layout", () => {
    const prompt = protocolPrompt([read], { dialect: "xml" });
    expect(prompt).toMatch(/run one after another in the order you wrote them/);
    expect(prompt).toMatch(/Values are raw text: nothing is escaped, and entities such as &lt; are not decoded/);
    expect(prompt).toMatch(/One line break .* is layout/);
    expect(prompt).not.toMatch(/in parallel|strict JSON/);
  });

  it.each([
    ["a constant", { const: null, type: "string" }, "null"],
    ["the first choice", { enum: ["text", "hex"] }, '"text"'],
    ["the default", { type: "string", default: "." }, '"."'],
    ["an integer", { type: "integer" }, "1"],
    ["a boolean", { type: "boolean" }, "true"],
    ["the first of several types", { type: ["array", "null"] }, "[]"],
    ["an object", { type: "object" }, "{}"],
    ["null", { type: "null" }, "null"],
    ["text where nothing is said", {}, '"example"'],
  ])("fills the examples with %s", (_, schema, value) => {
    const tool = { name: "t", description: "", parameters: { properties: { v: schema }, required: ["v"] } };
    expect(protocolPrompt([tool], { dialect: "json" })).toContain(`{"name":"t","args":{"v":${value}}}`);
  });
});
