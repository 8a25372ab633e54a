import { hookPoints } from "@cogency/hook-programs";
import { type OptionRow, optionRow, settingNames } from "../../src/place/config/option-table.ts";

/** The JSON Schema of a configuration file, as `schema/config.schema.json` holds it. */
export function configSchema(): object {
  const all = propertiesOf(() => true);
  const profile = propertiesOf(({ isOfProfile }) => isOfProfile === true);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "The configuration of cogency",
    type: "object",
    properties: {
      $schema: { type: "string" },
      ...all,
      hooks: {
        type: "array",
        maxItems: 100,
        description: "Programs that are called while the agent works",
        items: hook,
      },
      profiles: {
        type: "object",
        description: "Providers with what belongs to them, by name; --profile or the key profile chooses one",
        additionalProperties: { type: "object", properties: profile, additionalProperties: false },
      },
    },
    additionalProperties: false,
  };
}

const hook = {
  type: "object",
  properties: {
    at: { enum: hookPoints, description: "when it is called" },
    command: { type: "string", pattern: "\\S", description: "the command line that is called, with JSON on its stdin" },
    name: { type: "string", maxLength: 60, description: "how you call it; its command if absent" },
    tools: {
      type: "array",
      items: { type: "string", pattern: "\\S" },
      minItems: 1,
      description: "calls of these tools alone, such as shell or mcp_*; all if absent",
    },
    timeout: {
      type: "number",
      exclusiveMinimum: 0,
      maximum: 100,
      description: "seconds until it is ended; 10 if absent",
    },
    sandbox: { type: "boolean", description: "whether it runs in a sandbox; one of a project does where there is one" },
    holds: {
      type: "array",
      items: { enum: ["untrusted", "private"] },
      description: "what its words bring into the conversation, if they are not yours",
    },
  },
  required: ["at", "command"],
  additionalProperties: false,
};

function propertiesOf(isIncluded: (setting: OptionRow) => boolean): Record<string, object> {
  const names = settingNames.filter((name) => isIncluded(optionRow(name)));
  return Object.fromEntries(names.map((name) => [name, schemaOf(optionRow(name))]));
}

function schemaOf({ type, choices, description }: OptionRow): object {
  return { ...(choices ? { enum: choices } : schemas[type]), description };
}

const text = { type: "string", pattern: "\\S" };
const price = { type: "number", minimum: 0 };

const schemas: Record<OptionRow["type"], object> = {
  text,
  switch: { type: "boolean" },
  count: { type: "integer", minimum: 1 },
  amount: { type: "number", exclusiveMinimum: 0 },
  list: { type: "array", items: text },
  ports: { type: "array", items: { type: "integer", minimum: 1, maximum: 65_535 } },
  tools: {
    type: "array",
    items: {
      anyOf: [
        text,
        {
          type: "object",
          properties: { use: text, options: { type: "object" } },
          required: ["use"],
          additionalProperties: false,
        },
      ],
    },
  },
  prices: {
    anyOf: [
      text,
      {
        type: "object",
        additionalProperties: {
          type: "object",
          properties: { input: price, output: price, cacheRead: price, cacheWrite: price },
          required: ["input", "output"],
          additionalProperties: false,
        },
      },
    ],
  },
};
