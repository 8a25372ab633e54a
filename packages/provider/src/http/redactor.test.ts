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
    {
      secrets: ["ab+cd/ef= gh"],
      text: "/?a=ab%2Bcd%2Fef%3D%20gh&b=ab%2bcd%2fef%3d+gh",
      clean: "/?a=[redacted]&b=[redacted]",
    },
    { secrets: ["it's (secret)"], text: "/?a=it%27s+%28secret%29", clean: "/?a=[redacted]" },
    { secrets: ['say "friend"'], text: String.raw`{"said":"say \"friend\""}`, clean: '{"said":"[redacted]"}' },
    { secrets: ["half \ud83d of it"], text: "/?a=half%20%EF%BF%BD%20of%20it", clean: "/?a=[redacted]" },
    { secrets: ["", "1", "none"], text: "none of 1", clean: "none of 1" },
    { secrets: [], text: "as it is", clean: "as it is" },
  ])("of $secrets makes $text into $clean", ({ secrets, text, clean }) => {
    expect(redactor(secrets)(text)).toBe(clean);
  });
});
