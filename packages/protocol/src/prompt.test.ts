import { describe, expect, it } from "vitest";
import { parseSync } from "./parse.ts";
import { protocolPrompt } from "./prompt.ts";
import { parseResults } from "./serialize.ts";

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

const prompt = (...tools: (typeof read | typeof list)[]) => protocolPrompt(tools, { dialect: "json" });
const blocks = (text: string, marker: string) =>
  [...text.matchAll(new RegExp(`^<${marker}>\\n.*?^</${marker}>`, "gms"))].map(([block]) => block);

describe("protocolPrompt", () => {
  it("shows a single call and a batch of the bound tools, which the parser accepts", () => {
    const shown = blocks(prompt(read, list), "execute").map((block) => parseSync(block).map((event) => event.type));
    expect(shown).toEqual([
      ["call", "execute"],
      ["call", "call", "execute"],
    ]);
  });

  it("fills the examples with values that the schemas admit", () => {
    expect(prompt(read, list)).toContain('{"name":"read","args":{"file":"example","mode":"text","from":1}}');
    expect(prompt(read, list)).toContain('{"name":"list","args":{"path":"."}}');
  });

  it("shows a success and a failure", () => {
    const [results] = blocks(prompt(read, list), "results");
    expect(parseResults(results ?? "")?.map(({ status }) => status)).toEqual(["success", "failure"]);
  });

  it("says that calls of a batch run in parallel and dependent ones belong in separate blocks", () => {
    expect(prompt(read)).toMatch(/run in parallel/);
    expect(prompt(read)).toMatch(/depends on the outcome of another belongs in a separate, later block/);
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
