import { expect } from "vitest";
import { answerOf, call, request } from "../raw-client.ts";
import type { Attack } from "./attack.ts";

function refusedWith(name: string, body: () => unknown, status: number): Attack {
  return {
    name,
    async play({ eve }) {
      const response = await eve.post(body());
      expect(response.status).toBe(status);
      const { error } = await answerOf(response);
      expect(error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
      expect(error.message).not.toMatch(/ {4}at |node:|\.ts:/);
    },
  };
}

/** Gets an error of JSON-RPC in a session, where nothing has run. */
function errorFor(name: string, message: object): Attack {
  return {
    name,
    async play({ eve }) {
      const { error } = await answerOf(await eve.post(message, await eve.session()));
      expect(error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    },
  };
}

function deep(levels: number): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}}`;
}

/** A JSON text with a key that assigning would make the prototype. */
const prototypeKeys =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":{"__proto__":{"path":"x"},"constructor":{"prototype":{"path":"y"}}}}}';

export const messageAttacks: readonly Attack[] = [
  refusedWith("sends JSON that is nested 100,000 levels deep", () => deep(100_000), 400),
  refusedWith("sends JSON that is nested 70 levels deep", () => deep(70), 400),
  refusedWith(
    "sends a batch of 10,000 calls",
    () => Array.from({ length: 10_000 }, (_, id) => call("write", { path: "x" }, id)),
    400,
  ),
  {
    name: "sends a batch of 21 calls",
    async play({ eve }) {
      const { error } = await answerOf(await eve.post(Array.from({ length: 21 }, (_, id) => call("add", {}, id))));
      expect(error.message).toBe("The batch has 21 messages; 20 are the most.");
    },
  },
  refusedWith("sends a batch whose requests share an id", () => [call("add", {}, 1), call("add", {}, 1)], 400),
  refusedWith("sends an empty batch", () => [], 400),
  refusedWith("sends arguments of 10 MB", () => call("write", { path: "x".repeat(10_000_000) }), 413),
  refusedWith("sends what is no JSON", () => '{"jsonrpc":', 400),
  refusedWith("sends half a character", () => '"\\ud83d', 400),
  errorFor("calls a method that is none", request("tools/steal")),
  errorFor("calls a tool that is none", call("nothing")),
  errorFor("calls a tool by the name of a prototype", call("__proto__")),
  errorFor("calls a tool by the name of a constructor", call("constructor")),
  errorFor("gives arguments that are a list", request("tools/call", { name: "write", arguments: [1] })),
  errorFor("gives a name that is a number", request("tools/call", { name: 5 })),
  {
    name: "gives arguments with keys of prototypes",
    async play({ eve }) {
      const response = await eve.post(prototypeKeys, await eve.session());
      const { result } = await answerOf(response);
      expect(result).toMatchObject({ isError: true });
      expect(({} as { path?: string }).path).toBeUndefined();
    },
  },
  {
    name: "sends messages of wrong types",
    async play({ eve }) {
      const here = await eve.session();
      for (const body of [
        "5",
        '"x"',
        "null",
        '{"jsonrpc":"1.0","id":1,"method":"ping"}',
        '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      ]) {
        const response = await eve.post(body, here);
        expect(response.status).toBe(400);
      }
    },
  },
];
