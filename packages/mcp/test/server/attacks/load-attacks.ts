import { request as httpRequest, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect } from "vitest";
import { request } from "../raw-client.ts";
import type { Attack } from "./attack.ts";

const headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  authorization: "eve",
};

/** Sends a body of pieces over a socket of its own, and returns the status of the answer. */
function sent(address: string, body: Readable, more: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(`${address}/mcp`, { method: "POST", headers: { ...headers, ...more }, agent: false });
    let status: number | undefined;
    asking.once("response", (response: IncomingMessage) => {
      status = response.statusCode ?? 0;
      response.resume();
      resolve(status);
      body.destroy();
      asking.destroy();
    });
    asking.once("error", (error) => status === undefined && reject(error));
    body.on("error", () => {});
    body.pipe(asking);
  });
}

function* megabytes(count: number): Generator<Buffer> {
  for (let at = 0; at < count; at++) yield Buffer.alloc(1_000_000, "x");
}

export const loadAttacks: readonly Attack[] = [
  {
    name: "sends a body of 100 MB",
    async play({ address }) {
      expect(await sent(address, Readable.from(megabytes(100)))).toBe(413);
    },
  },
  {
    name: "says that its body has 100 MB, and sends nothing",
    async play({ address }) {
      const silent = new Readable({ read() {} });
      silent.push("{");
      expect(await sent(address, silent, { "content-length": "100000000" })).toBe(413);
    },
  },
  {
    name: "sends its body too slowly",
    async play({ address }) {
      const slow = new Readable({ read() {} });
      slow.push('{"jsonrpc":');
      expect(await sent(address, slow)).toBe(408);
    },
  },
  {
    name: "never reads its stream",
    async play({ eve, flooded }) {
      const params = { name: "flood", arguments: {}, _meta: { progressToken: 1 } };
      const response = await eve.post(request("tools/call", params), await eve.session());
      await flooded;
      await expect(response.text()).rejects.toThrow("does not read");
    },
    runs: ["flood"],
  },
];
