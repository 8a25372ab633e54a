import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { McpConnection, McpServer } from "../server/offer.ts";

/** Bytes of one message. */
const mostMessageBytes = 8 * 1024 * 1024;

/**
 * Serves the client that has started this program, over standard input and output, which nothing else may write to. The connection ends
 * when the client closes the input; `closed` of the result resolves then.
 */
export function serveStdio(server: McpServer): McpConnection {
  return server.connect(new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: mostMessageBytes }));
}
