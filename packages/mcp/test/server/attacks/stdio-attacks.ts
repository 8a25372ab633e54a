import { expect } from "vitest";

/** Bytes that an attacker writes to the standard input of a server, and the codes of the errors that it gets. */
export interface StdioAttack {
  readonly name: string;
  readonly bytes: () => Iterable<string | Uint8Array>;
  /** Of each error, in order. */
  readonly errors?: readonly number[];
  /** Ends the connection: whoever sends endless input is not served any more. */
  readonly ends?: true;
}

const encoder = new TextEncoder();

function line(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

const ping = { jsonrpc: "2.0", id: 90, method: "ping" };
const smile = encoder.encode("😀");

export const stdioAttacks: readonly StdioAttack[] = [
  { name: "lines that are no JSON", bytes: () => ["not json\n", "\n", "}{\n"] },
  { name: "half a character, and the other half later", bytes: () => [smile.slice(0, 2), smile.slice(2), "\n"] },
  { name: "bytes that are no text", bytes: () => [new Uint8Array([0xff, 0xfe, 0x80, 0x0a])] },
  {
    name: "a message in single bytes",
    bytes: () => [...encoder.encode(line(ping))].map((byte) => new Uint8Array([byte])),
  },
  { name: "answers that nobody asked for", bytes: () => [line({ jsonrpc: "2.0", id: 5, result: {} })] },
  {
    name: "a cancel of what does not run",
    bytes: () => [line({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 77 } })],
  },
  {
    name: "an id that is in use",
    bytes: () => [
      line({ jsonrpc: "2.0", id: 40, method: "tools/call", params: { name: "wait", arguments: {} } }),
      line({ jsonrpc: "2.0", id: 40, method: "tools/call", params: { name: "add", arguments: { a: 1, b: 2 } } }),
      line({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 40 } }),
    ],
    errors: [-32600],
  },
  {
    name: "JSON that is nested too deep",
    bytes: () => [`{"jsonrpc":"2.0","id":41,"method":"ping","params":${'{"a":'.repeat(500)}1${"}".repeat(500)}}\n`],
    errors: [-32600],
  },
  {
    name: "16 MB without the end of a line",
    bytes: () => Array.from({ length: 16 }, () => "x".repeat(1_000_000)),
    ends: true,
  },
];

export function expectErrors(messages: readonly { error?: { code: number } }[], errors: readonly number[] = []): void {
  expect(messages.flatMap(({ error }) => (error ? [error.code] : []))).toEqual(errors);
}
