import { checkOptions } from "@cogency/protocol/options";
import type { McpRequestContext, Notification, Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { guardedTransport } from "./guarded-transport.ts";
import { heldContent } from "./held-content.ts";
import { httpHandler } from "./http/http-handler.ts";
import type { McpConnection, McpOffer, McpServer } from "./offer.ts";
import { offerTable } from "./offer-table.ts";
import { offeredBy } from "./offered.ts";
import { type ProtocolServer, protocolServer } from "./protocol-server.ts";

/**
 * Offers tools, or an agent, to MCP clients. Each call goes through an executor: it is checked, approved, limited and hooked as a call of
 * a model of ours would be.
 *
 * @example
 * const server = mcpServer({ tools: [lookup], name: "orders", version: "1.0.0" });
 * export default { fetch: server.handler };
 *
 * @throws TypeError for an unknown option or one of a wrong type, RangeError for one out of its range; ToolError for a tool name that
 * appears twice
 */
export function mcpServer(offer: McpOffer): McpServer {
  checkOptions<McpOffer>("mcpServer", offer, offerTable());
  if (!offer.tools && !offer.registry && !offer.agent) {
    throw new TypeError("mcpServer: there is nothing to offer. Give `tools`, a `registry` or an `agent`.");
  }
  const offered = offeredBy(offer);
  /** Those whose clients are told of changes: of connections and sessions. */
  const lasting = new Set<ProtocolServer>();
  const connections = new Set<McpConnection>();
  const http = httpHandler(offer, offered, lasting);
  let isClosed = false;

  function tell(notification: Notification): void {
    for (const one of lasting) one.tell(notification);
  }

  function connect(transport: Transport): McpConnection {
    if (isClosed) throw new Error("The MCP server is closed.");
    const over = Promise.withResolvers<void>();
    const unit = `mcp-${crypto.randomUUID()}`;
    const own = new Set<ProtocolServer>();
    const held = heldContent();
    const end = () => {
      for (const one of own) lasting.delete(one);
      offered.tasks.end(unit);
      connections.delete(connection);
      over.resolve();
    };
    const factory = ({ era }: McpRequestContext): Server => {
      const made = protocolServer(offered, { era, caller: undefined, unit, held, tasks: unit });
      own.add(made);
      lasting.add(made);
      return made.server;
    };
    const { batch, depth } = offered.limits;
    const guarded = guardedTransport(transport, { batch, depth }, end);
    const handle = serveStdio(factory, { transport: guarded, onerror: offered.onError });
    const close = async () => {
      await handle.close();
      end();
    };
    const connection: McpConnection = { closed: over.promise, close };
    connections.add(connection);
    return connection;
  }

  async function close(): Promise<void> {
    isClosed = true;
    offered.tasks.close();
    await Promise.all([http.close(), ...[...connections].map((connection) => connection.close())]);
  }

  return {
    handler: http.handle,
    connect,
    toolsChanged() {
      http.notify.toolsChanged();
      tell({ method: "notifications/tools/list_changed" });
    },
    promptsChanged() {
      http.notify.promptsChanged();
      if (offered.prompts) tell({ method: "notifications/prompts/list_changed" });
    },
    resourcesChanged() {
      http.notify.resourcesChanged();
      if (offered.resources) tell({ method: "notifications/resources/list_changed" });
    },
    resourceUpdated(uri) {
      http.notify.resourceUpdated(uri);
      const notification = { method: "notifications/resources/updated", params: { uri } };
      for (const one of lasting) if (one.hasSubscribed(uri)) one.tell(notification);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
