import { nearestNames } from "@cogency/protocol/options";
import { isObject } from "../../base/is-object.ts";
import { hooksProblems } from "../hooks/hooks-problems.ts";
import { mcpProblem } from "../mcp/mcp-problem.ts";
import { isSettingName, type OptionRow, optionRow, settingNames } from "./option-table.ts";
import { isPort } from "./port.ts";
import { pricesProblem } from "./read-prices.ts";
import { toolsProblem } from "./tool-entries.ts";

/** Says what is wrong with the content of a configuration file, and under which path; undefined if nothing is. */
export function configProblem(content: unknown): string | undefined {
  if (!isObject(content)) return "it has to be one JSON object.";
  const { $schema, profiles, hooks, mcp, ...values } = content;
  if ($schema !== undefined && typeof $schema !== "string") return "$schema has to be a text.";
  // The key of other agents.
  if ("mcpServers" in values) return 'there is no key mcpServers. Servers stand in {"mcp": {"servers": …}}.';
  return (
    valuesProblem(values, "", [...settingNames, "profiles", "hooks", "mcp"]) ??
    profilesProblem(profiles) ??
    hooksProblems(hooks)[0] ??
    mcpProblem(mcp)
  );
}

/** The problem of one value. @param path such as `profiles.fast.model` */
export function valueProblem(path: string, value: unknown, { type, choices }: OptionRow): string | undefined {
  if (choices) return choices.includes(value as string) ? undefined : `${path} has to be ${listed(choices)}.`;
  switch (type) {
    case "text":
      return typeof value === "string" && value.trim() !== ""
        ? undefined
        : `${path} has to be a text that is not empty.`;
    case "switch":
      return typeof value === "boolean" ? undefined : `${path} has to be true or false.`;
    case "count":
      return Number.isInteger(value) && (value as number) > 0
        ? undefined
        : `${path} has to be a whole number from 1 up.`;
    case "amount":
      return typeof value === "number" && value > 0 ? undefined : `${path} has to be a number above 0.`;
    case "list":
      return Array.isArray(value) && value.every((one) => typeof one === "string" && one.trim() !== "")
        ? undefined
        : `${path} has to be a list of texts, such as ["one", "other"].`;
    case "ports":
      return Array.isArray(value) && value.every(isPort)
        ? undefined
        : `${path} has to be a list of ports from 1 to 65535, such as [3000].`;
    case "tools":
      return toolsProblem(path, value);
    case "prices": {
      if (typeof value === "string") return value.trim() === "" ? `${path} is empty.` : undefined;
      const problem = pricesProblem(value);
      return problem && `${path}: ${problem}. Write {"<model>": {"input": 1.25, "output": 10}}, or the path of a file.`;
    }
  }
}

function profilesProblem(profiles: unknown): string | undefined {
  if (profiles === undefined) return undefined;
  if (!isObject(profiles)) return 'profiles has to be an object, such as {"fast": {"model": "small"}}.';
  const names = settingNames.filter((name) => optionRow(name).isOfProfile);
  for (const [name, values] of Object.entries(profiles)) {
    const path = `profiles.${name}`;
    const problem = isObject(values) ? valuesProblem(values, `${path}.`, names) : `${path} has to be an object.`;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valuesProblem(values: object, path: string, names: readonly string[]): string | undefined {
  for (const [name, value] of Object.entries(values)) {
    const isKnown = isSettingName(name) && names.includes(name);
    if (name === "store" && holdsPassword(value)) return "store must not hold a password: give it in COGENCY_STORE.";
    const problem = isKnown ? valueProblem(path + name, value, optionRow(name)) : unknownKey(path, name, names);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function holdsPassword(store: unknown): boolean {
  return typeof store === "string" && URL.canParse(store) && new URL(store).password !== "";
}

/** Says which key was meant. */
export function unknownKey(path: string, name: string, names: readonly string[]): string {
  const [nearest] = nearestNames(name, names);
  const isSecret = /^(api)?-?_?(key|token|secret|password)s?$/i.test(name);
  const advice = isSecret
    ? "A key does not belong here: cogency config key set <NAME> keeps it, and apiKeyEnv names it."
    : nearest === undefined
      ? `There are ${names.join(", ")}.`
      : `Did you mean ${path}${nearest}?`;
  return `there is no key ${path}${name}. ${advice}`;
}

function listed(choices: readonly string[]): string {
  return choices.map((choice) => `"${choice}"`).join(" or ");
}
