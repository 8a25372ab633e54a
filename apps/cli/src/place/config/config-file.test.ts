import { describe, expect, it } from "vitest";
import { configOf } from "./config-file.ts";

const read = (text: string) => configOf("/home/ada/config.json", text);

describe("a configuration file", () => {
  it("holds values, profiles and hooks; paths start from its folder", () => {
    const text = JSON.stringify({
      $schema: "https://example.org/config.schema.json",
      provider: "./mine.js",
      store: "data/c.db",
      maxCost: 0.5,
      profiles: { fast: { provider: "@acme/foo", system: "@role.md", prices: { small: { input: 1, output: 2 } } } },
      hooks: [{ at: "onStop", command: "npm test" }],
    });
    expect(read(text)).toEqual({
      file: "/home/ada/config.json",
      values: { provider: "/home/ada/mine.js", store: "/home/ada/data/c.db", maxCost: 0.5 },
      profiles: {
        fast: { provider: "@acme/foo", system: "@/home/ada/role.md", prices: { small: { input: 1, output: 2 } } },
      },
      hooks: [{ at: "onStop", command: "npm test" }],
    });
  });

  it.each([
    ['{\n  "model": "a",\n  // mine\n}', "line 3: JSON has no comments."],
    ['{\n  "model": "a"\n  "driver": "b"\n}', "line 3: "],
    ["[]", "it has to be one JSON object."],
    [`{ "hooks": {} }`, "hooks has to be a list of at most 100 hooks"],
    [`{ "hooks": [{ "at": "Stop", "command": "x" }] }`, 'Did you mean "onStop"'],
    [`{ "profiles": { "fast": { "hooks": [] } } }`, "there is no key profiles.fast.hooks."],
    [`{ "modell": "a" }`, "there is no key modell. Did you mean model?"],
    [
      '{ "profiles": { "fast": { "modle": "a" } } }',
      "there is no key profiles.fast.modle. Did you mean profiles.fast.model?",
    ],
    ['{ "profiles": { "fast": { "yes": true } } }', "there is no key profiles.fast.yes."],
    ['{ "maxSteps": "5" }', "maxSteps has to be a whole number from 1 up."],
    ['{ "driver": "nativ" }', 'driver has to be "protocol" or "native" or "react" or "auto".'],
    ['{ "allow": "write" }', "allow has to be a list of texts"],
    ['{ "quiet": 1 }', "quiet has to be true or false."],
    ['{ "prices": { "m": { "input": -1, "output": 1 } } }', 'prices: "m" has no number of 0 or more as "input"'],
    ['{ "apiKey": "canary" }', "there is no key apiKey. A key does not belong here: cogency config key set <NAME>"],
    ['{ "store": "postgres://me:canary@db/app" }', "store must not hold a password"],
    ['{ "__proto__": { "yes": true } }', "there is no key __proto__."],
  ])("is refused with its name and what is wrong: %j", (text, problem) => {
    let message = "";
    try {
      read(text);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain("UsageError: /home/ada/config.json");
    expect(message).toContain(problem);
    expect(message).not.toContain("canary");
  });
});
