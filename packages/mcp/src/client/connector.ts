import type { Transport } from "@modelcontextprotocol/client";

/** A way to a server: an address, or a program that is started. `http` and, from `@cogency/mcp/node`, `program` make one. */
export interface Connector {
  readonly kind: "http" | "program";
  /**
   * Stands for this server and no other: an address, or a command line with its folder. Approvals are bound to it. It holds no secret.
   */
  readonly identity: string;
  /**
   * Makes transports for one connection, in the order in which they are tried: the next one if the server does not speak the last one.
   * The client starts and closes them.
   *
   * @throws McpError
   */
  transports(opening: Opening): AsyncIterable<Transport> | Iterable<Transport>;
}

/** What a connector is told of the connection that it makes. */
export interface Opening {
  /** The name that the host gave to the server. */
  readonly server: string;
  readonly signal: AbortSignal;
  /** Called with each line that a program writes to its standard error, without secrets that the host has named. */
  log(line: string): void;
}
