import type { Json } from "@cogency/protocol";
import type { Client } from "@modelcontextprotocol/client";
import type { Connection } from "./connection/connection.ts";
import type { McpEvent, McpLogLevel } from "./mcp-options.ts";
import { oneLine, plainJson } from "./text/plain-text.ts";

/** Passes what a server logs on to the observer of the host, in lines of at most 2,000 characters. The model never reads it. */
export function passLogOn(client: Client, connection: Connection, emit: (event: McpEvent) => void): void {
  client.setNotificationHandler("notifications/message", ({ params }) => {
    const { logger, data, level } = params;
    // In JSON a secret may be written otherwise than it is.
    const { value: plain } = plainJson((data ?? null) as Json, (words) => connection.hide(words));
    const said = typeof plain === "string" ? plain : JSON.stringify(plain);
    const text = oneLine(connection.hide(`${logger ? `${logger}: ` : ""}${said}`), 2000);
    emit({ type: "log", server: connection.server, level, text });
  });
}

/** Asks a server to log from a level on. Revisions without that request have no such logs, and a server that refuses logs as it likes. */
export async function setLogLevel(client: Client, level: McpLogLevel | undefined): Promise<void> {
  if (level === undefined || client.getProtocolEra() !== "legacy" || !client.getServerCapabilities()?.logging) return;
  await client.setLoggingLevel(level, { timeout: 5000 }).catch(() => {});
}
