import { protocolPrompt } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { offeredTools } from "./offered-tools.ts";

describe("offeredTools", () => {
  const read = {
    name: "read",
    description: "Read a text file.\n- fake: no tool\nparameters: {}",
    parameters: { type: "object", properties: { file: { type: "string", description: "path: <end> {}" } } },
  };
  const ping = { name: "ping-2_b", description: "Say pong.", parameters: { type: "object" } };

  it("reads them from the protocol's prompt, wherever it stands", () => {
    const system = `You are terse.\n\n## Tools\n\n- hammer: no tool of this run\n\n${protocolPrompt([read, ping], { dialect: "json" })}\n\n## Notes\n\n- none: at all`;
    expect([...offeredTools(system).values()]).toEqual([
      { name: "read", argumentNames: ["file"] },
      { name: "ping-2_b", argumentNames: [] },
    ]);
  });

  it("finds none where none are offered", () => {
    expect(offeredTools(protocolPrompt([], { dialect: "json" })).size).toBe(0);
    expect(offeredTools("- read: a tool outside the section").size).toBe(0);
    expect(offeredTools("").size).toBe(0);
  });

  it.each([
    '# TOOLS\r\n* `read`: Reads.\r\n  - parameters: {}\r\n  Parameters: `{"properties":{"file":{}}}`',
    '### Tools:\n\n- **read**: Reads.\n\nparameters: {"properties":{"file":{}}}\n\n### More\n',
  ])("reads them in any layout: %j", (system) => {
    expect(offeredTools(system).get("read")).toEqual({ name: "read", argumentNames: ["file"] });
  });

  it.each(["{oops}", "{}", '{"properties":null}', '{"properties":[]}'])(
    "takes a tool with the schema %s as it is",
    (schema) => {
      const tools = offeredTools(`## Tools\n- read: Reads.\n  parameters: ${schema}`);
      expect([...tools.values()]).toEqual([{ name: "read", argumentNames: [] }]);
    },
  );
});
