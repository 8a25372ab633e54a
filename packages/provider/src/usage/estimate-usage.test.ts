import { describe, expect, it } from "vitest";
import { estimateUsage } from "./estimate-usage.ts";

describe("estimateUsage", () => {
  it("counts one token for four characters, rounded up, and marks the usage as an estimate", () => {
    expect(estimateUsage({ system: "12345678", messages: [] }, "123456789")).toEqual({
      input: 2,
      output: 3,
      cacheRead: 0,
      cacheWrite: 0,
      reasoning: 0,
      estimated: true,
    });
  });

  it("counts every kind of message, and the tools", () => {
    const call = { id: "c", name: "read", args: {} };
    const tools = [{ name: "read", description: "", parameters: {} }];
    const characters = 4 + 3 + JSON.stringify([call]).length + 5 + JSON.stringify(tools).length;
    const usage = estimateUsage(
      {
        system: "",
        tools,
        messages: [
          { role: "user", content: "1234" },
          { role: "assistant", content: "123", calls: [call] },
          { role: "tool", results: [{ id: "c", name: "read", content: "12345", failed: false }] },
        ],
      },
      "",
    );
    expect(usage.input).toBe(Math.ceil(characters / 4));
    expect(usage.output).toBe(0);
  });
});
