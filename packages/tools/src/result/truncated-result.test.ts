import type { Json, ToolResult } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resultText, truncatedResult } from "./truncated-result.ts";
import { utf8Length } from "./utf8-length.ts";

const options = { id: "call_x", maxBytes: 300 };

function success(content: Json): ToolResult {
  return { tool: "shell", status: "success", content };
}

describe("truncatedResult", () => {
  it("leaves a result that fits as it is", () => {
    for (const content of ["x".repeat(300), { lines: ["a", "b"] }, 5, null, ["é".repeat(140)]]) {
      const result = success(content);
      expect(truncatedResult(result, options)).toBe(result);
    }
  });

  it("keeps head and tail of a string, and says how much is missing and where the whole is kept", () => {
    const { content } = truncatedResult(success(`head ${"x".repeat(20_000)} tail`), options);
    expect(content).toMatch(
      /^head x+\n\[… \d+ of 20010 bytes left out\. The whole result is kept under the id "call_x"\]\nx+ tail$/,
    );
    expect(utf8Length(String(content))).toBeLessThanOrEqual(300);
  });

  it("says how to read on from the end of the head", () => {
    const text = Array.from({ length: 5000 }, (_, line) => `line ${line}\n`).join("");
    const content = String(truncatedResult(success(text), { ...options, reader: "read_result" }).content);
    const [note = "", from] =
      /\n\[.*; read more with read_result \{"id":"call_x","from":(\d+)\}\]\n/.exec(content) ?? [];
    expect(content.slice(0, content.indexOf(note))).toBe(text.slice(0, Number(from)));
  });

  it("shows data as the text that `read_result` pages through", () => {
    const data = { rows: Array.from({ length: 200 }, (_, id) => ({ id })) };
    const { status, content } = truncatedResult(success(data), options);
    const [head = "", tail = ""] = String(content).split(/\n\[….*\]\n/);
    expect(status).toBe("success");
    expect(resultText(data).startsWith(head)).toBe(true);
    expect(resultText(data).endsWith(tail)).toBe(true);
  });

  it("measures data as JSON without white space", () => {
    const data = Array.from({ length: 100 }, (_, n) => n % 10);
    expect(truncatedResult(success(data), options).content).toEqual(data);
  });

  it("shortens failure messages", () => {
    const result: ToolResult = { tool: "shell", status: "failure", content: `Error: ${"x".repeat(5000)} at the end` };
    expect(truncatedResult(result, options)).toMatchObject({
      tool: "shell",
      status: "failure",
      content: expect.stringMatching(/^Error: .*at the end$/s),
    });
  });

  it("keeps the limit, changes nothing the second time, and gives the same bytes each time", () => {
    const reader = fc.constantFrom(undefined, "read_result");
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 10, max: 400 }), reader, (value, maxBytes, name) => {
        const settings = { id: "call_x", maxBytes, reader: name };
        const result = success([value as Json, "é\u{1F600}\n".repeat(50)]);
        const cut = truncatedResult(result, settings);
        expect(utf8Length(JSON.stringify(cut.content))).toBeLessThanOrEqual(maxBytes * 6 + 2);
        if (typeof cut.content === "string") expect(utf8Length(cut.content)).toBeLessThanOrEqual(maxBytes);
        expect(truncatedResult(cut, settings)).toBe(cut);
        expect(JSON.stringify(truncatedResult(structuredClone(result), settings))).toBe(JSON.stringify(cut));
      }),
    );
  });
});
