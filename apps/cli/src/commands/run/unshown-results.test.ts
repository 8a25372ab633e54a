import type { ToolResult } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { unshownResults } from "./unshown-results.ts";

const success = (tool: string, content: string): ToolResult => ({ tool, status: "success", content });
const unknown: ToolResult = { tool: "shell", status: "failure", content: "outcome unknown: …" };

describe("the results that were not shown", () => {
  it.each([
    [
      "none of a batch that ran, in any order",
      [success("a", "1"), success("b", "2")],
      [success("b", "2"), success("a", "1")],
      [],
    ],
    ["those of calls that an earlier run had begun", [unknown, success("b", "2")], [success("b", "2")], [unknown]],
    [
      "the one of two of a tool that did not run now",
      [unknown, success("shell", "x")],
      [success("shell", "x")],
      [unknown],
    ],
    ["none that is stored without its secrets", [success("a", "[redacted]")], [success("a", "secret")], []],
    ["all where nothing ran", [unknown, unknown], [], [unknown, unknown]],
  ])("are %s", (_, results, told, untold) => {
    expect(unshownResults(results, told)).toEqual(untold);
  });
});
