import { describe, expect, it } from "vitest";
import { freeTool } from "../test/support/fixtures.ts";
import { ToolError } from "./errors.ts";
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

  it("refuses two tools with one name", () => {
    const register = () => createRegistry([...tools, freeTool("list", () => 1)]);
    expect(register).toThrow(ToolError);
    expect(register).toThrow(expect.objectContaining({ code: "duplicate_name", tool: "list" }));
  });

  it.each([
    ["a b", "invalid_name"],
    ["think", "reserved_name"],
  ])("refuses a hand-made tool named %j", (name, code) => {
    expect(() => createRegistry([{ ...freeTool("ok", () => 1), name }])).toThrow(expect.objectContaining({ code }));
  });

  const ok = freeTool("ok", () => 1);
  const without = (part: string) => Object.fromEntries(Object.entries(ok).filter(([key]) => key !== part));
  it.each<[unknown, string]>([
    [without("execute"), 'Tool "ok": it lacks execute. Make it with defineTool.'],
    [without("validate"), "it lacks validate"],
    [without("spec"), "it lacks spec."],
    [without("annotations"), "it lacks annotations"],
    [without("description"), "it lacks description"],
    [without("name"), 'Tool "undefined": a name begins with'],
    [{ name: "ok" }, "it lacks description, spec, annotations, validate, execute."],
    [{ name: "ok", description: "t", parameters: {}, execute() {} }, "it lacks spec, annotations, validate."],
    [{ ...ok, spec: { name: "ok" } }, "it lacks spec.description, spec.parameters"],
    [{ ...ok, spec: "ok" }, "it lacks spec."],
    [{ ...ok, spec: { ...ok.spec, name: "other" } }, 'spec.name is "other"'],
    [{ ...ok, annotations: null }, "it lacks annotations"],
    [{ ...ok, execute: "rm" }, "it lacks execute"],
    [{ ...ok, resource: "file" }, 'resource is "file", not a function'],
    [{ ...ok, brings: [] }, "brings is an array, not a function"],
    [null, 'Tool "no. 2": it is null; give what defineTool makes.'],
    [undefined, "it is undefined"],
    ["ok", 'it is "ok"'],
    [() => 1, "it is a function"],
    [[ok], "it is an array of tools, which must be spread"],
    [Promise.resolve(ok), "it is a promise, which must be awaited"],
  ])("refuses an incomplete tool at once (%#)", (given, message) => {
    const register = () => createRegistry([freeTool("first", () => 1), given as never]);
    expect(register).toThrow(ToolError);
    expect(register).toThrow(message);
  });

  it.each([[undefined], [null], [5], [{ ok }]])("refuses a value that holds no tools: %j", (given) => {
    expect(() => createRegistry(given as never)).toThrow("createRegistry takes a list of tools");
  });

  it.each([
    ["readFile", ["read_file"]],
    ["READ-FILE", ["read_file"]],
    ["lst", ["list"]],
    ["fund", ["find"]],
    ["read_fil", ["read_file"]],
    ["functions.list", ["list"]],
    ["default_api:read_file", ["read_file"]],
    ["tools/find", ["find"]],
    ["shell", []],
    ["", []],
    ["x".repeat(1_000_000), []],
  ])("throws for an unknown name, with similar names and all names", (name, nearest) => {
    const error = thrownBy(() => registry.get(name));
    expect(error).toBeInstanceOf(ToolError);
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
