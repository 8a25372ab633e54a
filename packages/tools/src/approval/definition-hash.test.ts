import { describe, expect, it } from "vitest";
import { defineTool } from "../define-tool.ts";
import { definitionHash } from "./definition-hash.ts";

const definition = {
  name: "github__star",
  description: "Star a repository.",
  input: { type: "object", properties: { repository: { type: "string" }, dry: { type: "boolean" } } } as const,
  annotations: { idempotentHint: true, openWorldHint: true },
  definedBy: "https://mcp.example.com/mcp",
  execute: () => "starred",
};
const hashOf = (changes: object = {}) => definitionHash(defineTool({ ...definition, ...changes }));

describe("the hash of a definition", () => {
  it("is SHA-256 in hexadecimal digits, the same in every version", async () => {
    expect(await hashOf()).toBe("987d6168934752c3a53811890e28102cb82c7ffeeedd75b8cc1513678089a388");
  });

  it("does not depend on the order of keys, on what is undefined, or on what is not said of the tool", async () => {
    const same = {
      input: { properties: { dry: { type: "boolean" }, repository: { type: "string" } }, type: "object" },
      annotations: { readOnlyHint: undefined, openWorldHint: true, idempotentHint: true },
      timeout: 5,
      execute: () => "another body",
    };
    expect(await hashOf(same)).toBe(await hashOf());
  });

  it.each([
    ["name", { name: "github__unstar" }],
    ["description", { description: "Star a repository. " }],
    ["parameters", { input: { type: "object", properties: { repository: { type: "string" } } } }],
    ["annotations", { annotations: { openWorldHint: true } }],
    ["author", { definedBy: "https://mcp.example.org/mcp" }],
  ])("changes with the %s", async (_, change) => {
    expect(await hashOf(change)).not.toBe(await hashOf());
  });
});
