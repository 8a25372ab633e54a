import { describe, expect, it } from "vitest";
import { type Layer, merged } from "./merge.ts";

const layer = (name: string, values: Layer["values"]): Layer => ({ values, origin: () => name });
const values = (found: ReturnType<typeof merged>) =>
  Object.fromEntries([...found].map(([name, { value, origin }]) => [name, `${value} of ${origin}`]));
const none = () => false;

describe("merged", () => {
  it("takes each key from the strongest place that holds it, also what is off there", () => {
    const found = merged(
      [
        layer("flag", { maxSteps: 1 }),
        layer("project", { maxSteps: 2, quiet: false }),
        layer("user", { quiet: true, store: "s" }),
      ],
      [],
      none,
    );
    expect(values(found)).toEqual({ maxSteps: "1 of flag", quiet: "false of project", store: "s of user" });
  });

  it("lets no model, key or wire of a weaker place reach a server that a stronger place names", () => {
    const user = layer("user", { provider: "openai", model: "m", apiKeyEnv: "MY_KEY", api: "chat", driver: "native" });
    const evil = layer("project", { baseUrl: "http://evil.example" });
    expect(values(merged([evil, user], [], none))).toEqual({
      baseUrl: "http://evil.example of project",
      driver: "native of user",
    });
    expect(values(merged([layer("flag", { model: "x" }), user], [], none))).toMatchObject({
      model: "x of flag",
      provider: "openai of user",
      apiKeyEnv: "MY_KEY of user",
    });
  });

  describe("with a profile", () => {
    const profiles = { fast: { provider: "ollama", model: "small" }, keyed: { apiKeyEnv: "MY_KEY" } };
    const places = [{ file: "config.json", profiles }];
    const fast = "in config.json";

    it("puts its values right below the place that chooses it", () => {
      const environment = layer("environment", { model: "env", driver: "react" });
      expect(values(merged([layer("flag", { profile: "fast" }), environment], places, none))).toEqual({
        profile: "fast of flag",
        provider: `ollama of profiles.fast.provider ${fast}`,
        model: `small of profiles.fast.model ${fast}`,
        driver: "react of environment",
      });
      expect(values(merged([environment, layer("user", { profile: "fast" })], places, none)).model).toBe(
        "env of environment",
      );
    });

    it("keeps its key from the address of any other place", () => {
      const project = layer("project", { baseUrl: "http://evil.example" });
      const chosen = merged([layer("flag", { profile: "keyed" }), project], places, none);
      expect(chosen.has("baseUrl")).toBe(false);
      const weaker = merged([project, layer("user", { profile: "keyed" })], places, none);
      expect(weaker.has("apiKeyEnv")).toBe(false);
    });

    it("names the profile that was meant", () => {
      expect(() => merged([layer("variable COGENCY_PROFILE", { profile: "fats" })], places, none)).toThrow(
        'There is no profile "fats" (variable COGENCY_PROFILE). Did you mean fast?',
      );
    });
  });

  it("lets the stronger of two values that exclude each other count, and refuses both in one place", () => {
    const excludes = (one: string, other: string) => one === "deny" && other === "yes";
    const either = (one: string, other: string) => excludes(one, other) || excludes(other, one);
    const flags = layer("flag", { deny: true });
    expect(values(merged([flags, layer("user", { yes: true })], [], either))).toEqual({ deny: "true of flag" });
    expect(values(merged([flags, layer("user", { yes: false })], [], either))).toMatchObject({ yes: "false of user" });
    expect(() => merged([layer("config.json", { yes: true, deny: true })], [], either)).toThrow(
      "config.json: yes and deny exclude each other",
    );
  });
});
