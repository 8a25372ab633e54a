import { describe, expect, it } from "vitest";
import { keepSecret, redacted } from "./redacted.ts";

describe("redacted", () => {
  const environment = {
    ACME_API_KEY: "canary-0123456789",
    SHORT_TOKEN: "abc",
    EDITOR: "some-editor",
    DB_PASSWORD: "canary-0123456789-and-more",
  };

  it.each([
    ["the value of a variable with the name of a secret", "bad: canary-0123456789!", "bad: [redacted]!"],
    ["the longest of several", "bad: canary-0123456789-and-more", "bad: [redacted]"],
    ["a text that looks like a secret", `key ghp_${"a1B2".repeat(9)} refused`, "key [redacted] refused"],
    [
      "a password in an address",
      "no answer from https://me:hush-hush@x.test/",
      "no answer from https://me:[redacted]@x.test/",
    ],
  ])("takes out %s", (_, text, shown) => {
    expect(redacted(text, environment)).toBe(shown);
  });

  it("keeps texts that are not secrets, and values too short to be one", () => {
    const text = "some-editor cannot abc. Set the environment variable OPENAI_API_KEY.";
    expect(redacted(text, environment)).toBe(text);
  });

  it("removes a given key under any name of its variable", () => {
    keepSecret(["value-of-mine"]);
    expect(redacted("401 for value-of-mine", {})).toBe("401 for [redacted]");
  });
});
