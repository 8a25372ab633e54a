import { serveTcp } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { exchange } from "./exchange.ts";

describe("exchange", () => {
  it("checks the address at the other end again, and sends nothing to a refused one", async () => {
    const received: unknown[] = [];
    const server = await serveTcp((socket) => socket.on("data", (data) => received.push(data)));
    const judged: string[] = [];
    const guard = {
      admitsHost: () => true,
      admitsAddress: (_host: string, address: string) => judged.push(address) === 1,
    };
    const url = new URL(`http://site.example:${server.port}/`);
    const request = { url, method: "GET", headers: {}, signal: new AbortController().signal } as const;
    await expect(exchange(request, guard, async () => ["127.0.0.1"])).rejects.toMatchObject({
      code: "address_refused",
    });
    expect(judged).toEqual(["127.0.0.1", "127.0.0.1"]);
    await expect.poll(() => server.open, { timeout: 10_000 }).toBe(0);
    expect(received).toEqual([]);
  });

  it("ends at once when the server switches to another protocol", async () => {
    const head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    const server = await serveTcp((socket) => socket.once("data", () => socket.write(head)));
    const guard = { admitsHost: () => true, admitsAddress: () => true };
    const url = new URL(`http://127.0.0.1:${server.port}/`);
    const request = { url, method: "GET", headers: {}, signal: new AbortController().signal } as const;
    await expect(exchange(request, guard)).rejects.toMatchObject({ code: "bad_response" });
    await expect.poll(() => server.open, { timeout: 10_000 }).toBe(0);
  });

  it.each<[what: string, error: Error, reason: string]>([
    ["the system's code", Object.assign(new Error("connect"), { code: "ECONNREFUSED" }), "ECONNREFUSED"],
    ["that of a certificate", Object.assign(new Error("x"), { code: "CERT_HAS_EXPIRED" }), "CERT_HAS_EXPIRED"],
    ["that of the first address", new AggregateError([Object.assign(new Error(), { code: "ETIMEDOUT" })]), "ETIMEDOUT"],
    [
      "that of its cause",
      new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) }),
      "ECONNRESET",
    ],
    ["what it says, in one line", new Error("gone\n  away"), "gone away"],
    ["its name", new RangeError(""), "RangeError"],
  ])("says why a connection failed: %s", async (_, error, reason) => {
    const guard = { admitsHost: () => true, admitsAddress: () => true };
    const url = new URL("http://site.example/");
    const request = { url, method: "GET", headers: {}, signal: new AbortController().signal } as const;
    const failure = exchange(request, guard, () => Promise.reject(error));
    await expect(failure).rejects.toMatchObject({
      code: "network",
      message: expect.stringContaining(`(${reason})`),
      cause: error,
    });
  });
});
