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
      profiles: {
        type: "object",
        description: "Providers with what belongs to them, by name; --profile or the key profile chooses one",
        additionalProperties: { type: "object", properties: profile, additionalProperties: false },
      },
    },
    additionalProperties: false,
  };
}

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
