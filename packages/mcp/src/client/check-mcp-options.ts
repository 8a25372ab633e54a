import {
  above,
  anything,
  callback,
  checkOptions,
  flag,
  group,
  listOf,
  name,
  type OptionTable,
  object,
  oneOf,
  recordOf,
  required,
  text,
  whole,
  wrongOption,
} from "@cogency/protocol/options";
import type { McpOptions, McpRoot, McpServerOptions } from "./mcp-options.ts";

/** @throws TypeError or RangeError that names the option */
export function checkMcpOptions(options: McpOptions): void {
  checkOptions<McpOptions>("mcp", options, optionTable());
  for (const [server, given] of Object.entries(options.servers)) {
    if (!serverName.test(server)) {
      const rules =
        "a name is a letter, then up to 29 letters, digits, hyphens and single underscores, and ends in no underscore";
      throw wrongOption(
        RangeError,
        "servers",
        `mcp: ${JSON.stringify(server.slice(0, 60))} cannot name a server: ${rules}.`,
      );
    }
    checkOptions<McpServerOptions>(`mcp: the server ${server}`, given, serverTable());
  }
}

/** Two underscores stand between the server and the tool in a name, so that no two servers can offer the same one. */
const serverName = /^(?=.{1,30}$)[A-Za-z](?:[A-Za-z0-9-]|_(?=[A-Za-z0-9-]))*$/;

function optionTable(): OptionTable<McpOptions> {
  return {
    servers: required(object),
    client: group<NonNullable<McpOptions["client"]>>({ name: required(name), version: required(name) }),
    roots: listOf(group<McpRoot>({ uri: required(name), name: text }), "an array of folders"),
    sampling: object,
    elicitation: flag,
    logLevel: oneOf("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"),
    observer: callback,
  };
}

function serverTable(): OptionTable<McpServerOptions> {
  const milliseconds = above(0, "milliseconds");
  const patterns = listOf(name, "an array of names or patterns");
  return {
    connector: required({
      ...anything,
      wanted: "a connector, which `http` or `program` makes",
      isOfType: (value: unknown) => typeof (value as { transports?: unknown } | null)?.transports === "function",
    }),
    tools: patterns,
    without: patterns,
    approval: recordOf(oneOf("allow", "ask", "deny")),
    readOnly: patterns,
    attach: patterns,
    timeouts: group<NonNullable<McpServerOptions["timeouts"]>>({
      connect: milliseconds,
      call: milliseconds,
      silence: milliseconds,
      total: milliseconds,
    }),
    limits: group<NonNullable<McpServerOptions["limits"]>>({
      messageBytes: whole(1024),
      messagesPerMinute: whole(1),
      items: whole(1),
      description: whole(1),
    }),
  };
}
