import { redactSecrets } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { withoutSecrets } from "./without-secrets.ts";

const without = (text: string) => withoutSecrets(text, redactSecrets);

describe("text without secrets", () => {
  it.each([
    ["my password is hunter2hunter2", "hunter2"],
    ["The password is swordfish. I like tea.", "swordfish"],
    ["Mein Passwort ist hunter2hunter2.", "hunter2"],
    ["My API key is abcd1234efgh5678ijkl, keep it.", "abcd1234"],
    ["The access key for the staging bucket is zx81zx81", "zx81"],
    ["my PIN is: 4711", "4711"],
    ["Passwords are opensesame1 and xyzzy", "opensesame1"],
    ["sk-proj-abcdefghijklmnop1234567890abcdefghij", "abcdefghij"],
  ])("has no word of the one in %j", (text, secret) => {
    expect(without(text)).not.toContain(secret);
    expect(without(text)).toContain("[redacted]");
    expect(without(without(text))).toBe(without(text));
  });

  it.each([
    "Keep secrets in pass.",
    "Secrets are kept in the vault of the team.",
    "Keep answers below 2000 tokens.",
    "A token is what a model counts, about four letters.",
    "The key is to write tests first.",
    "I pin versions, and my pins are exact matches in package.json.",
    "Ask me for the password; never guess it.",
  ])("is the same where there is none: %s", (text) => expect(without(text)).toBe(text));

  it("is found in a time that grows with the text", () => {
    const long = "password ".repeat(200) + "a-".repeat(20_000);
    expect(without(long)).toBe(long);
  });
});
