import { describe, expect, it } from "vitest";
import { keysFor } from "./keys-for.ts";

const environment = {
  OPENAI_API_KEY: "key-of-openai",
  ANTHROPIC_AUTH_TOKEN: "key-of-anthropic",
  OPENROUTER_API_KEY: "key-of-openrouter",
  GOOGLE_API_KEY: "key-of-google",
  MINE: "key-of-mine",
  MINE_1: "another-of-mine",
  EMPTY: " ",
};

describe("keysFor", () => {
  it("takes a kept key where the environment has none, for its own server and where it is named", () => {
    const kept = { ANTHROPIC_API_KEY: "kept-of-anthropic", OPENAI_API_KEY: "kept-of-openai", OTHER: "kept-of-other" };
    expect(keysFor("anthropic", undefined, undefined, { environment: {}, kept })).toEqual(["kept-of-anthropic"]);
    expect(keysFor("openai", undefined, undefined, { environment, kept })).toBeUndefined();
    expect(keysFor("openai", "https://a.example/v1", "OTHER", { environment, kept })).toEqual(["kept-of-other"]);
    expect(keysFor("openai", "https://a.example/v1", undefined, { environment: {}, kept, tell() {} })).toEqual([]);
  });

  it.each([
    ["openai", undefined],
    ["openai", "https://api.openai.com/v1"],
    ["openai", "https://eu.api.openai.com/v1"],
    ["openai", "https://API.OpenAI.com/v1"],
    ["anthropic", "https://api.anthropic.com"],
    ["openrouter", "https://openrouter.ai/api/v1"],
    ["google", undefined],
    ["google", "https://generativelanguage.googleapis.com"],
    ["ollama", undefined],
  ])("lets the provider %s find its own keys at %s", (provider, address) => {
    expect(keysFor(provider, address, undefined, { environment })).toBeUndefined();
  });

  it.each([
    ["openai", "http://localhost:11434/v1"],
    ["openai", "https://api.openai.com.evil.example/v1"],
    ["openai", "https://evilapi.openai.com.example/"],
    ["openai", "https://notapi.openai.com/v1"],
    ["openai", "https://openai.com/v1"],
    ["openai", "https://api.openai.com./v1"],
    ["openai", "https://api.\u043epenai.com/v1"],
    ["openai", "https://evil.example/api.openai.com"],
    ["openai", "https://api.anthropic.com"],
    ["anthropic", "https://api.openai.com"],
    ["google", "https://www.googleapis.com"],
    ["google", "https://generativelanguage.googleapis.com.evil.example"],
    ["./mine", "https://api.openai.com/v1"],
    ["__proto__", "https://api.openai.com/v1"],
  ])("sends no key of %s to %s, and says so", (provider, address) => {
    const told: string[] = [];
    expect(keysFor(provider, address, undefined, { environment, tell: (text) => told.push(text) })).toEqual([]);
    const known = {
      openai: "OPENAI_API_KEY",
      anthropic: "ANTHROPIC_AUTH_TOKEN",
      openrouter: "OPENROUTER_API_KEY",
      google: "GOOGLE_API_KEY",
    };
    const name = Object.hasOwn(known, provider) ? known[provider as keyof typeof known] : undefined;
    expect(told).toEqual(
      name === undefined ? [] : [expect.stringMatching(`^${name} is not sent .* add --api-key-env ${name}\\.$`)],
    );
    expect(told.join()).not.toContain("key-of-");
  });

  it.each([
    ["openai", "https://gateway.example/v1"],
    ["openai", "http://localhost:11434/v1"],
    ["openai", "http://127.0.0.2:1/v1"],
    ["openai", "http://[::1]:1/v1"],
    ["anthropic", undefined],
    ["./mine", "https://gateway.example"],
  ])("sends %s at %s the keys of the variable that is named for it", (provider, address) => {
    expect(keysFor(provider, address, "MINE", { environment })).toEqual(["key-of-mine", "another-of-mine"]);
  });

  it.each([
    ["http://gateway.example/v1", "MINE"],
    ["http://192.168.1.7:8080/v1", "MINE"],
    ["http://127.0.0.1.evil.example/v1", "MINE"],
    ["http://localhost.evil.example/v1", "MINE"],
    ["http://[::2]/v1", "MINE"],
    ["http://api.openai.com/v1", "MINE"],
    ["http://api.openai.com/v1", undefined],
  ])("sends no key to %s unencrypted", (address, variable) => {
    expect(() => keysFor("openai", address, variable, { environment })).toThrow(/over plain http/);
  });

  it("refuses a server that needs a key if no variable is named for its address", () => {
    const make = (variable?: string) =>
      keysFor("openrouter", "https://openrouter.ai.evil.example", variable, { environment, tell() {} });
    expect(() => make()).toThrow(/^openrouter needs a key for that address/);
    expect(make("MINE")).toContain("key-of-mine");
  });

  it.each(["EMPTY", "NOBODY", "sk-the-key-itself", ""])("refuses the variable %j without repeating it", (name) => {
    const make = () => keysFor("openai", "https://gateway.example/v1", name, { environment });
    expect(make).toThrow(/^--api-key-env names no variable that is set/);
    expect(make).not.toThrow(/sk-the-key-itself|NOBODY|EMPTY/);
  });
});
