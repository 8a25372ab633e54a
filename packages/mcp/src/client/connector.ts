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
  /** Takes the secrets that the host has given to it out of a text. Defaults to none. */
  hide?(text: string): string;
}

/** What a connector is told of the connection that it makes. */
export interface Opening {
  /** The name that the host gave to the server. */
  readonly server: string;
  readonly signal: AbortSignal;
  /** Bytes of one message that the server sends. */
  readonly messageBytes: number;
  /** Called with each line that a program writes to its standard error, without secrets that the host has named. */
  log(line: string): void;
  /** Called when the server broke a limit, and its connection must end. The sentence begins with a verb: `sent an event of …`. */
  breach(sentence: string): void;
  /** Called when a program has ended, with how: `exit code 1`. */
  ended?(how: string): void;
}
