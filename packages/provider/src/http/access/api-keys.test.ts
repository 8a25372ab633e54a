import { describe, expect, it } from "vitest";
import { apiKeys } from "./api-keys.ts";

describe("apiKeys", () => {
  const cases: { name: string; environment: Record<string, string | undefined>; keys: string[] }[] = [
    { name: "none", environment: {}, keys: [] },
    { name: "the one of the name itself", environment: { ACME_KEY: "a" }, keys: ["a"] },
    {
      name: "those with numbers after it, in the order of the numbers",
      environment: { ACME_KEY_10: "d", ACME_KEY_2: "c", ACME_KEY_1: "b", ACME_KEY: "a" },
      keys: ["a", "b", "c", "d"],
    },
    { name: "those with numbers alone", environment: { ACME_KEY_1: "b", ACME_KEY_3: "c" }, keys: ["b", "c"] },
    { name: "each once", environment: { ACME_KEY: "a", ACME_KEY_1: "a", ACME_KEY_2: "b" }, keys: ["a", "b"] },
    {
      name: "none that is empty, and none with white space around it",
      environment: { ACME_KEY: "", ACME_KEY_1: "  ", ACME_KEY_2: " b\n", ACME_KEY_3: undefined },
      keys: ["b"],
    },
    {
      name: "none of another name",
      environment: { ACME_KEY_FILE: "a", ACME_KEY_1B: "b", MY_ACME_KEY: "c", ACME_KEY_: "d", ACME_KEY1: "e" },
      keys: [],
    },
  ];
  it.each(cases)("finds $name", ({ environment, keys }) => {
    expect(apiKeys(environment, "ACME_KEY")).toEqual(keys);
  });
});
