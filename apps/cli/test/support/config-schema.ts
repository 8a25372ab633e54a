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
      mcp: {
        type: "object",
        description: "MCP servers, whose tools the model gets",
        properties: {
          servers: {
            type: "object",
            maxProperties: 50,
            propertyNames: { pattern: "^[A-Za-z][A-Za-z0-9_-]{0,29}$" },
            additionalProperties: mcpServer,
          },
          findAbove: {
            type: "integer",
            minimum: 0,
            description: "with more tools in all, the model finds those of servers by words; 40 if absent",
          },
        },
        additionalProperties: false,
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

const texts = { type: "object", additionalProperties: { type: "string" } };
const toolPatterns = { type: "array", items: text };
const seconds = { type: "number", exclusiveMinimum: 0, maximum: 86_400 };

/** A program or an address. Texts may hold `${NAME}` and `${NAME:-otherwise}`. */
const mcpServer = {
  type: "object",
  properties: {
    command: { ...text, description: "the program that is started, without its arguments" },
    args: { type: "array", items: { type: "string" } },
    env: { ...texts, description: "the variables that it gets, besides PATH, HOME and the like" },
    cwd: { ...text, description: "where it runs" },
    sandbox: { type: "boolean", description: "run it in the sandbox of the commands of shell, without a network" },
    url: { ...text, description: "the address of a server, in place of a command" },
    headers: { ...texts, description: "what goes to that address with each request, and nowhere else" },
    timeout: { ...seconds, description: "seconds that one call may take; 60 if absent" },
    connectTimeout: { ...seconds, description: "seconds for connecting and listing; 30 if absent" },
    tools: { ...toolPatterns, description: "its tools that are used, as it calls them; all if absent" },
    without: { ...toolPatterns, description: "its tools that are not used" },
    approval: {
      type: "object",
      additionalProperties: { enum: ["allow", "ask", "deny"] },
      description: "whether calls of a tool run, ask, or are denied; they ask if absent",
    },
    readOnly: { ...toolPatterns, description: "tools that change nothing, as you vouch" },
    disabled: { type: "boolean", description: "keep it here, and do not use it" },
  },
  oneOf: [{ required: ["command"] }, { required: ["url"] }],
  additionalProperties: false,
};

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
