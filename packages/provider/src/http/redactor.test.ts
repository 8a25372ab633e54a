import { describe, expect, it } from "vitest";
import { redactor } from "./redactor.ts";

describe("redactor", () => {
  it.each([
    {
      secrets: ["sk-12345678"],
      text: "key sk-12345678, again sk-12345678.",
      clean: "key [redacted], again [redacted].",
    },
    { secrets: ["sk-12345678\n"], text: "key sk-12345678", clean: "key [redacted]" },
    { secrets: ["Bearer sk-12345678"], text: "not Bearer: sk-12345678", clean: "not Bearer: [redacted]" },
    { secrets: ["sk-1234", "sk-12345678"], text: "sk-12345678", clean: "[redacted]" },
    { secrets: ["", "1", "none"], text: "none of 1", clean: "none of 1" },
    { secrets: [], text: "as it is", clean: "as it is" },
  ])("of $secrets makes $text into $clean", ({ secrets, text, clean }) => {
    expect(redactor(secrets)(text)).toBe(clean);
  });
});
