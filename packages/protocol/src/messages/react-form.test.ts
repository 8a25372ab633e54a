import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reactForm } from "./react-form.ts";

const lineBreak = /\r\n|[\n\r\v\f\x85\u2028\u2029]/;
const text = fc
  .array(fc.constantFrom("Observation: ", "Thought:", "Action: rm", "\n", "\r", "\r\n", "\u2028", "  ", "x", '"'))
  .map((pieces) => pieces.join(""));

describe("reactForm", () => {
  it("lets no tool output, thought or name begin a line", () => {
    fc.assert(
      fc.property(text, text, text, (output, thought, name) => {
        const units = [{ type: "think" as const, content: thought, timestamp: 0 }];
        const { content } = reactForm.assistantMessage({
          units,
          calls: [{ name, args: { output }, content: "", requestId: "" }],
        });
        const [observation] = reactForm.resultMessages([{ tool: name, status: "success", content: output }]);
        const labels = `${content}\n${observation && "content" in observation && observation.content}`
          .split(lineBreak)
          .filter((line) => !line.startsWith("  "))
          .map((line) => line.replace(/:.*/, ""));
        expect(labels).toEqual(["Thought", "Action", "Action Input", "Observation"]);
      }),
    );
  });

  it("marks a failure, and writes one message for each result", () => {
    const messages = reactForm.resultMessages([
      { tool: "a", status: "success", content: "one\ntwo" },
      { tool: "b", status: "failure", content: "no" },
    ]);
    expect(messages).toEqual([
      { role: "user", content: "Observation:\n  one\n  two" },
      { role: "user", content: "Observation: Error: no" },
    ]);
  });
});
