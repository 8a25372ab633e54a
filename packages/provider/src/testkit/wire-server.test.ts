import { eventually } from "@cogency/protocol/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inPieces, startWireServer, type WireServer } from "./wire-server.ts";

let server: WireServer;
beforeEach(async () => {
  server = await startWireServer();
});
afterEach(() => server.close());

describe("startWireServer", () => {
  it("records each request as it came", async () => {
    server.respond(inPieces([]));
    await fetch(`${server.url}/v1/say?x=1`, { method: "POST", headers: { "x-key": "k" }, body: "ä{}" });
    const [{ request } = {}] = server.exchanges;
    expect(request).toMatchObject({ method: "POST", path: "/v1/say?x=1", headers: { "x-key": "k" }, body: "ä{}" });
    server.forget();
    expect(server.exchanges).toEqual([]);
  });

  it("sends a piece on demand, and counts the bytes that were accepted", async () => {
    let go = () => {};
    const told = new Promise<void>((resolve) => {
      go = resolve;
    });
    server.respond(async (exchange) => {
      await exchange.write("one");
      await told;
      await exchange.write("two");
      exchange.end();
    });
    const response = await fetch(server.url);
    const reader = response.body?.getReader();
    expect(text((await reader?.read())?.value)).toBe("one");
    expect(server.exchanges[0]?.accepted).toBe(3);
    go();
    expect(text((await reader?.read())?.value)).toBe("two");
    expect((await reader?.read())?.done).toBe(true);
    expect(server.exchanges[0]?.isAbandoned).toBe(false);
  });

  it("notices when the client goes away, and then writes nothing more", async () => {
    const written: boolean[] = [];
    server.respond(async (exchange) => {
      written.push(await exchange.write("one"));
      await exchange.abandoned;
      written.push(await exchange.write("two"));
    });
    const response = await fetch(server.url);
    await response.body?.cancel();
    await eventually(() => written.length === 2, 10_000, "The server did not notice");
    expect(written).toEqual([true, false]);
    await eventually(() => server.connections === 0, 10_000, "The connection stayed");
  });

  it.each(["destroy", "end"] as const)("ends an answer with %s", async (ending) => {
    server.respond(inPieces(["one", "two"], { status: 418, headers: { "content-type": "text/plain" }, ending }));
    const response = await fetch(server.url);
    expect([response.status, response.headers.get("content-type")]).toEqual([418, "text/plain"]);
    if (ending === "end") expect(await response.text()).toBe("onetwo");
    else await expect(response.text()).rejects.toThrow();
  });

  it("throws the error of an answer when it is closed", async () => {
    const other = await startWireServer();
    other.respond(() => {
      throw new Error("a mistake in the answer");
    });
    await expect(fetch(other.url)).rejects.toThrow();
    await expect(other.close()).rejects.toThrow("a mistake in the answer");
  });
});

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}
