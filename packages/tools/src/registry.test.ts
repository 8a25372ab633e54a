import { describe, expect, it } from "vitest";
import { freeTool } from "../test/fixtures.ts";
import { ToolDefinitionError, UnknownToolError } from "./errors.ts";
import { createRegistry } from "./registry.ts";

const tools = ["read_file", "write_file", "list", "find"].map((name) => freeTool(name, () => null));
const registry = createRegistry(tools);

describe("createRegistry", () => {
  it("finds tools by name and lists them in the order of registration", () => {
    expect(registry.has("list")).toBe(true);
    expect(registry.has("toString")).toBe(false);
    expect(registry.get("list")).toBe(tools[2]);
    expect(registry.names()).toEqual(["read_file", "write_file", "list", "find"]);
    expect(registry.specs().map(({ name }) => name)).toEqual(registry.names());
  });

  it("refuses two tools of one name", () => {
    const register = () => createRegistry([...tools, freeTool("list", () => 1)]);
    expect(register).toThrow(ToolDefinitionError);
    expect(register).toThrow(expect.objectContaining({ code: "duplicate_name", tool: "list" }));
  });

  it.each([
    ["a b", "invalid_name"],
    ["think", "reserved_name"],
  ])("refuses a hand-made tool named %j", (name, code) => {
    expect(() => createRegistry([{ ...freeTool("ok", () => 1), name }])).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ["readFile", ["read_file"]],
    ["READ-FILE", ["read_file"]],
    ["lst", ["list"]],
    ["fund", ["find"]],
    ["read_fil", ["read_file"]],
    ["shell", []],
    ["", []],
    ["x".repeat(1_000_000), []],
  ])("answers an unknown name with what it may have meant, and with what there is", (name, nearest) => {
    const error = thrownBy(() => registry.get(name));
    expect(error).toBeInstanceOf(UnknownToolError);
    expect(error).toMatchObject({ code: "unknown_tool", tool: name, nearest, available: registry.names() });
    expect(error.message).toContain("Available tools: read_file, write_file, list, find.");
    expect(error.message.length).toBeLessThan(300);
    if (nearest[0]) expect(error.message).toContain(`Did you mean ${nearest[0]}?`);
  });

  it("says so when there are no tools", () => {
    expect(() => createRegistry([]).get("read")).toThrow('Unknown tool "read". No tools are available.');
  });
});

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}
