import { describe, expect, it } from "vitest";
import { type KeySources, keyAdvice, keysFor } from "./keys-for.ts";

const environment = { ACME_KEY: "key-a", ACME_KEY_1: "key-b", OLD_KEY: "key-c", EMPTY: " " };
const home = ["https://api.acme.test/v1", undefined, "no address", "http://localhost:8080"];
const find = (url: string, rest: Partial<KeySources> = {}) =>
  keysFor({ url: new URL(url), environment, variables: ["EMPTY", "ACME_KEY", "OLD_KEY"], home, ...rest });

describe("keysFor", () => {
  it.each(["https://api.acme.test", "https://API.acme.test:443/other?x=1", "http://localhost:8080/v1"])(
    "gives the keys of the first variable that has one to a server of theirs: %s",
    (url) => {
      expect(find(url)).toEqual({ keys: ["key-a", "key-b"] });
    },
  );

  it.each([
    "https://llm.example/v1",
    "http://api.acme.test/v1",
    "https://api.acme.test:8443/v1",
    "https://api.acme.test.evil.example",
    "https://api.acme.test./v1",
    "https://eu.api.acme.test/v1",
    "https://acme.test/v1",
    "http://127.0.0.1:8080",
    "http://localhost:8081",
  ])("gives no key to another server, and names the variable that was withheld: %s", (url) => {
    expect(find(url)).toEqual({ keys: [], withheld: "ACME_KEY" });
    expect(keyAdvice(find(url))).toMatch(/^The key in ACME_KEY .* was not sent; pass `apiKey`/);
  });

  it.each([
    ["one-key", ["one-key"]],
    [
      ["one-key", "", " ", "two-key"],
      ["one-key", "two-key"],
    ],
    ["", []],
    [[], []],
  ])("takes the keys given with the address, and ignores the environment: %j", (given, keys) => {
    expect(find("https://llm.example", { given })).toEqual({ keys });
    expect(find("https://api.acme.test", { given })).toEqual({ keys });
  });

  it("finds no key if no variable holds one", () => {
    expect(find("https://api.acme.test", { variables: ["EMPTY", "MISSING"] })).toEqual({ keys: [] });
    expect(keyAdvice({ keys: [] })).toBe("No key was sent; pass `apiKey`.");
    expect(keyAdvice({ keys: ["one"] })).toBeUndefined();
  });
});
