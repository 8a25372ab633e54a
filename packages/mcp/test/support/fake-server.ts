import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import type { Connector } from "../../src/client/connector.ts";

type Fields = Record<string, unknown>;

/** One connection to the fake server, on which a test can send anything. */
interface Line {
  send(message: object): void;
  notify(method: string, params?: Fields): void;
  /** Ends the connection, as a program that exits does. */
  end(how?: string): void;
  /** What the client sent, in order. */
  readonly received: readonly {
    id?: string | number;
    method?: string;
    params?: Fields;
    result?: Fields;
    error?: Fields;
  }[];
}

/** Answers a request. `undefined` answers nothing. What it throws as `{ code, message }` is the error of the answer. */
export type Answer = (params: Fields, line: Line, id: string | number) => unknown;

export interface FakeServer {
  readonly connector: Connector;
  /** Each connection that was made, the last one at the end. */
  readonly lines: Line[];
  readonly line: Line;
  /** May be changed in the middle of a test. */
  readonly answers: Record<string, Answer>;
  /** Whether a new connection fails at once. */
  isDown: boolean;
}

/** A server in this process that speaks the revision 2025-11-25, and breaks every rule that a test wants broken. */
export function fakeServer(
  answers: Record<string, Answer> = {},
  options: { secrets?: string[]; listChanged?: boolean } = {},
): FakeServer {
  const lines: Line[] = [];
  const server: FakeServer = {
    connector: {
      kind: "program",
      identity: "fake in /tmp",
      hide: (text) => (options.secrets ?? []).reduce((kept, secret) => kept.replaceAll(secret, "[hidden]"), text),
      *transports(opening) {
        if (server.isDown) throw new Error("nobody is there");
        const [near, far] = InMemoryTransport.createLinkedPair();
        // The SDK knows a program by these two.
        Object.assign(near, { pid: 1, stderr: null });
        lines.push(lineOver(far, server, (how) => opening.ended?.(how)));
        yield near;
      },
    },
    lines,
    get line() {
      return lines.at(-1) as Line;
    },
    answers: {
      initialize: () => ({
        protocolVersion: "2025-11-25",
        capabilities: { tools: { listChanged: options.listChanged ?? true }, logging: {} },
        serverInfo: { name: "fake", version: "1.2.3", title: "Fake" },
      }),
      "server/discover": () => {
        throw { code: -32601, message: "Method not found" };
      },
      "logging/setLevel": () => ({}),
      "tools/list": () => ({ tools: [tool("echo")] }),
      "tools/call": ({ arguments: args }) => ({ content: [{ type: "text", text: JSON.stringify(args) }] }),
      ...answers,
    },
    isDown: false,
  };
  return server;
}

function lineOver(far: InMemoryTransport, server: FakeServer, ended: (how: string) => void): Line {
  const received: Line["received"][number][] = [];
  const send = (message: object) => void far.send(message as JSONRPCMessage).catch(() => {});
  const line: Line = {
    received,
    send,
    notify: (method, params = {}) => send({ jsonrpc: "2.0", method, params }),
    end(how = "exit code 1") {
      ended(how);
      void far.close();
    },
  };
  far.onmessage = async (message) => {
    received.push(message as Line["received"][number]);
    if (!("method" in message) || !("id" in message)) return;
    const { id, method, params = {} } = message;
    try {
      const answer = server.answers[method] ?? unknownMethod;
      const result = await answer(params as Fields, line, id);
      if (result !== undefined) send({ jsonrpc: "2.0", id, result });
    } catch (error) {
      send({ jsonrpc: "2.0", id, error });
    }
  };
  void far.start();
  return line;
}

const unknownMethod: Answer = () => {
  throw { code: -32601, message: "Method not found" };
};

export function tool(name: string, more: object = {}): { name: string; inputSchema: object } {
  return { name, inputSchema: { type: "object" }, ...more };
}
