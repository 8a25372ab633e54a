import { createServer } from "node:http";
import { connect } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { closedPort, listen, page, serve, serveTcp } from "./index.ts";

describe("a loopback server", () => {
  let former = "";
  afterAll(async () => {
    await expect(fetch(former)).rejects.toThrow();
  });

  it("answers, counts its connections, and is gone after the test", async () => {
    const server = await serve(page("hello", "text/plain", { "x-a": "b" }));
    const response = await fetch(server.url);
    expect([await response.text(), response.headers.get("content-type"), response.headers.get("x-a")]).toEqual([
      "hello",
      "text/plain",
      "b",
    ]);
    expect([server.connections, server.open]).toEqual([1, 1]);
    former = server.url;
  });

  it("listens on the address that is asked for", async () => {
    const { url, port } = await serve(page("x"), "127.0.0.2");
    expect(url).toBe(`http://127.0.0.2:${port}`);
    expect(await (await fetch(url)).text()).toBe("x");
  });

  it("talks TCP, and survives a client that resets the connection", async () => {
    const server = await serveTcp((socket) => socket.write("hi"));
    const client = connect(server.port, "127.0.0.1");
    const [greeting] = await new Promise<Buffer[]>((resolve) => client.once("data", (data) => resolve([data])));
    expect(String(greeting)).toBe("hi");
    client.resetAndDestroy();
    await expect.poll(() => server.open).toBe(0);
  });

  it("rejects where its address cannot be listened on", async () => {
    await expect(listen(createServer(), { address: "203.0.113.1", onEnd: () => {} })).rejects.toMatchObject({
      code: "EADDRNOTAVAIL",
    });
  });

  it("ends when its owner says so", async () => {
    const ends: (() => void)[] = [];
    const { url } = await listen(createServer(page("x")), { onEnd: (end) => void ends.push(end) });
    expect((await fetch(url)).status).toBe(200);
    for (const end of ends) end();
    await expect(fetch(url)).rejects.toThrow();
  });
});

it("closedPort gives a port that refuses connections", async () => {
  await expect(fetch(`http://127.0.0.1:${await closedPort()}`)).rejects.toMatchObject({
    cause: { code: "ECONNREFUSED" },
  });
});
