import type { Client } from "@modelcontextprotocol/client";
import { McpError } from "../../src/client/errors.ts";
import type { ServerLink } from "../../src/client/server-link.ts";

/** A connected server for rooms of the client, without the life of a connection. */
export function linkTo(client: () => Client, parts: Partial<ServerLink> = {}): ServerLink {
  return {
    server: "github",
    options: {} as ServerLink["options"],
    get client() {
      return client();
    },
    inFlight: [],
    connected: async () => client(),
    problem: (error) =>
      error instanceof McpError
        ? error
        : new McpError("protocol", "github", (error as Error).message, { cause: error }),
    hide: (text) => text,
    ...parts,
  };
}
