import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { hooked } from "../hooks/stage.ts";
import { block, resultsIn } from "../support/fixtures.ts";

const input = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" }, mode: { enum: ["x", "y"] } },
  required: ["a", "b"],
} as const;

/** An agent whose model makes one call and then answers, what the tool was given, and what the model read of the call. */
async function called(name: string, args: object) {
  const given: unknown[] = [];
  const add = defineTool({
    name: "add",
    description: "Adds.",
    input,
    execute: (args) => {
      given.push(args);
      return args.a + args.b;
    },
  });
  const stage = hooked([block([name, args]), "Done.<end>"], [], { tools: [add] });
  const ended = await stage.go();
  const [results] = await resultsIn(stage.store);
  return { ...ended, given, started: stage.toldOf("tool_started"), read: results?.[0] };
}

describe("S11 validation", () => {
  it.each([
    [{ a: 1 }, ["b: "]],
    [{ a: null, b: 2 }, ["a: "]],
    [{ a: "1", b: [1] }, ["a: ", "b: "]],
    [{ a: 1, b: 2, mode: "z" }, ["mode: "]],
    [{ mode: "z" }, ["a: ", "b: ", "mode: "]],
  ])("refuses %j, names each place that does not fit, and the run goes on", async (args, paths) => {
    const { status, text, toolErrors, given, started, read } = await called("add", args);
    expect({ status, text, toolErrors }).toEqual({ status: "completed", text: "Done.", toolErrors: 1 });
    expect({ given, started }).toEqual({ given: [], started: [] });
    expect(read?.status).toBe("failure");
    for (const path of paths) expect(JSON.stringify(read?.content)).toContain(path);
  });

  it("refuses a key that the schema does not have", async () => {
    const { given, toolErrors, read } = await called("add", { a: 1, b: 2, extra: 3 });
    expect({ given, toolErrors }).toEqual({ given: [], toolErrors: 1 });
    expect(JSON.stringify(read?.content)).toContain("extra");
  });

  it("names a tool that it does not know, and the run goes on", async () => {
    const { status, toolErrors, read } = await called("subtract", { a: 1, b: 2 });
    expect({ status, toolErrors }).toEqual({ status: "completed", toolErrors: 1 });
    expect(JSON.stringify(read)).toContain("subtract");
  });
});
