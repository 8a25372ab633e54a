import { readFileSync } from "node:fs";
import type { Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../program/program.ts";
import { configSchema } from "./config-schema.ts";
import { settingNames, settingOf } from "./settings.ts";

/** Options of `run` and `chat` that say something about one command line, and not about all that follow. */
const notConfigured = [
  ...["attach", "conversation", "resume", "continue", "ephemeral", "root", "schema", "json", "config"],
];

describe("the keys of a configuration", () => {
  const options = new Map(
    createProgram({} as never, () => {})
      .commands.filter((command) => ["run", "chat"].includes(command.name()))
      .flatMap((command: Command) => command.options.map((option) => [option.attributeName(), option] as const)),
  );

  it("are the options of run and chat, but for those of a single command line", () => {
    const known = [...options.keys()].filter((name) => !notConfigured.includes(name));
    expect([...settingNames].toSorted()).toEqual(known.toSorted());
  });

  it("are asked about again when they change, but for those that neither run, reach, send nor protect anything", () => {
    expect(settingNames.filter((name) => !settingOf(name).isRisky)).toEqual([
      ...["model", "api", "driver", "dialect", "startIn", "repair"],
      ...["stream", "quiet", "notify", "plain", "contextWindow"],
    ]);
  });

  it.each(settingNames)("take what the option takes: %s", (name) => {
    const { type, choices } = settingOf(name);
    const option = options.get(name) as Option;
    expect(option.isBoolean() || option.negate).toBe(type === "switch");
    expect(option.argChoices).toEqual(choices);
    const readsCounts = () => option.parseArg?.("1.5", undefined as never);
    if (type === "count") expect(readsCounts).toThrow(/whole number/);
    if (type === "amount") expect(readsCounts()).toBe(1.5);
  });

  it("are published as a schema", () => {
    const file = new URL("../../../schema/config.schema.json", import.meta.url);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(configSchema());
  });
});
