import type { McpServer } from "@agentclientprotocol/sdk";
import type { AcpOptions } from "../acp-options.ts";
import { refusal } from "../connection/refusal.ts";
import type { NamedServer } from "../editor.ts";

/**
 * The servers that an editor names for a session.
 *
 * @throws RequestError for a kind of server that the agent does not take
 */
export function namedServers(servers: readonly McpServer[] = [], taken: AcpOptions["mcp"] = {}): NamedServer[] {
  return servers.map((server) => {
    if (!("type" in server)) {
      const { name, command, args, env } = server;
      return { type: "stdio", name, command, args, env: pairsOf(env) };
    }
    const { type, name, url, headers } = server;
    if (taken[type] !== true)
      throw refusal("params", `This agent does not reach MCP servers over ${type}, as its capabilities say.`);
    return { type, name, url, headers: pairsOf(headers) };
  });
}

function pairsOf(entries: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}
