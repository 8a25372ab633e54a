import {
  anything,
  callback,
  checkOptions,
  either,
  having,
  listOf,
  name,
  type OptionTable,
  object,
  required,
  text,
} from "@cogency/protocol/options";
import { providerKind } from "@cogency/provider";
import type { AgentDefinition } from "./agent-definition.ts";

/** @throws TypeError for an unknown field, a missing one, or one of a wrong type; RangeError for a malformed name */
export function checkDefinition(definition: AgentDefinition): void {
  checkOptions<AgentDefinition>("subagents", definition, table);
  if (!wellFormed.test(definition.name)) {
    throw new RangeError(
      `subagents: the name ${JSON.stringify(definition.name.slice(0, 80))} is malformed; give at most 64 lower-case letters, digits and hyphens, beginning with a letter or a digit.`,
    );
  }
}

const wellFormed = /^[a-z0-9][a-z0-9-]{0,63}$/;

const names = listOf(
  { wanted: "a name", isOfType: (value) => typeof value === "string" },
  "an array of names of tools",
);

const table: OptionTable<AgentDefinition> = {
  name: required(name),
  description: required(text),
  instructions: required(text),
  tools: names,
  withoutTools: names,
  provider: providerKind,
  driver: either(callback, having("a driver", "begin")),
  budget: object,
  holds: listOf(anything, "an array of { holds, source }"),
};
