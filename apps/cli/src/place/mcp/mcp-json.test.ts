import { describe, expect, it } from "vitest";
import { mcpJsonOf } from "./mcp-json.ts";

const read = (content: unknown) => mcpJsonOf("/srv/project/.mcp.json", JSON.stringify(content));

describe(".mcp.json", () => {
  it.each([
    [
      "a program",
      { command: "npx", args: ["-y", "docs"], env: { A: "1" } },
      { command: "npx", args: ["-y", "docs"], env: { A: "1" } },
    ],
    ["a program with its type", { type: "stdio", command: "docs" }, { command: "docs" }],
    [
      "an address",
      { type: "http", url: "https://a.example/mcp", headers: { A: "b" } },
      { url: "https://a.example/mcp", headers: { A: "b" } },
    ],
    ["an address of the old kind", { type: "sse", url: "https://a.example/sse" }, { url: "https://a.example/sse" }],
    [
      "an address by its whole type",
      { type: "streamable-http", url: "https://a.example/mcp" },
      { url: "https://a.example/mcp" },
    ],
    ["an address without a type", { url: "https://a.example/mcp" }, { url: "https://a.example/mcp" }],
    ["a server that is switched off", { command: "docs", disabled: true }, { command: "docs", disabled: true }],
    [
      "what other agents allow themselves",
      { command: "docs", alwaysAllow: ["delete"], trust: true, timeout: 60_000 },
      { command: "docs" },
    ],
  ])("holds %s", (_, given, entry) => {
    expect(read({ mcpServers: { docs: given } })).toEqual({ servers: { docs: entry }, problems: [] });
  });

  it.each([
    [
      "an unknown type",
      { type: "carrier-pigeon", url: "https://a" },
      '"docs" has the type "carrier-pigeon", which there is not.',
    ],
    ["a text", "npx docs", 'A server of .mcp.json is left out: "docs" has to be an object.'],
    ["nothing that could be started", { args: [] }, '"docs" has to have either a command'],
  ])("leaves out %s, says why, and keeps the others", (_, given, problem) => {
    const { servers, problems } = read({ mcpServers: { docs: given, other: { command: "b" } } });
    expect(servers).toEqual({ other: { command: "b" } });
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it("says that a name cannot be that of a server here", () => {
    expect(read({ mcpServers: { "My Docs": { command: "a" } } }).problems[0]).toContain("Rename it.");
  });

  it.each([["{"], ["[]"], ['{"servers": {}}']])("is refused as a whole if it is something else: %s", (text) => {
    expect(() => mcpJsonOf("/srv/project/.mcp.json", text)).toThrow("/srv/project/.mcp.json");
  });
});
