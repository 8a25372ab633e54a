import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { readerOf } from "../../../test/support/reader-of.ts";
import { startNode } from "../../../test/support/start-node.ts";
import { ProviderError } from "../../errors.ts";
import { createFetch } from "./create-fetch.ts";

describe("a time limit", () => {
  it("applies until the connection is established", async () => {
    const port = await fullBacklog();
    const failure = await createFetch({ timeouts: { connect: 200 } })(`http://127.0.0.1:${port}/`).catch(
      (error) => error,
    );
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).toMatchObject({
      code: "timeout",
      retryable: true,
      message: `127.0.0.1:${port} could not be connected to within 200 ms.`,
    });
  });

  it("applies until the first byte, before the headers", async () => {
    const { url } = await serve(() => {});
    const host = new URL(url).host;
    await expect(createFetch({ timeouts: { firstByte: 40 } })(url)).rejects.toMatchObject({
      code: "timeout",
      message: `${host} did not begin its answer within 40 ms.`,
    });
  });

  it("applies until the first byte, after the headers", async () => {
    const { url } = await serve((_request, response) => response.flushHeaders());
    const response = await createFetch({ timeouts: { firstByte: 500 } })(url);
    await expect(response.text()).rejects.toMatchObject({ code: "timeout", message: /did not begin its answer/ });
  });

  it("applies while no byte arrives", async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_request, response) => {
      response.on("close", () => closed.resolve());
      response.write("beginning");
    });
    const response = await createFetch({ timeouts: { idle: 40 } })(url);
    const reader = readerOf(response);
    expect(await reader.read()).toBe("beginning");
    await expect(reader.read()).rejects.toMatchObject({ code: "timeout", message: /sent nothing for 40 ms\.$/ });
    await closed.promise;
  });

  it("on idleness applies to the first byte of a refusal, unlike that of an answer", async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(429, { "content-type": "text/plain" }).flushHeaders(),
    );
    const response = await createFetch({ timeouts: { idle: 40 } })(url);
    expect(response.status).toBe(429);
    await expect(response.text()).rejects.toMatchObject({ code: "timeout", message: expect.stringContaining("40 ms") });
  });

  it("on idleness restarts with every byte, including that of a comment", async () => {
    const { url } = await serve(async (_request, response) => {
      response.write("data: 1\n\n");
      for (let count = 0; count < 12; count++) {
        await pause(100);
        response.write(":\n");
      }
      response.end("data: 2\n\n");
    });
    const begin = performance.now();
    const text = await (await createFetch({ timeouts: { idle: 1_000 } })(url)).text();
    expect(text).toBe(`data: 1\n\n${":\n".repeat(12)}data: 2\n\n`);
    expect(performance.now() - begin).toBeGreaterThan(1_100);
  });

  it("on idleness does not count the time in which nobody reads", async () => {
    const { url } = await serve((_request, response) => {
      response.write("one");
      setTimeout(() => response.end("two"), 20);
    });
    const reader = readerOf(await createFetch({ timeouts: { idle: 100 } })(url));
    expect(await reader.read()).toBe("one");
    await pause(300);
    expect(await reader.read()).toBe("two");
    expect(await reader.read()).toBeUndefined();
  });

  it("applies to the whole answer even if bytes keep arriving", async () => {
    const { url } = await serve((_request, response) => void drip(response));
    const response = await createFetch({ timeouts: { total: 400, idle: 5_000 } })(url);
    await expect(response.text()).rejects.toMatchObject({
      code: "timeout",
      message: /did not finish its answer within 400 ms\.$/,
    });
  });

  it("applies to the whole answer while nobody reads", async () => {
    const { url } = await serve((_request, response) => void drip(response));
    const response = await createFetch({ timeouts: { total: 400 } })(url);
    await pause(500);
    await expect(response.text()).rejects.toMatchObject({ code: "timeout" });
  });

  it("applies to a fetch that ignores its signal", async () => {
    const deaf = () => new Promise<Response>(() => {});
    await expect(
      createFetch({ timeouts: { firstByte: 20 }, fetch: deaf })("http://acme.test/v1"),
    ).rejects.toMatchObject({
      code: "timeout",
      message: "acme.test did not begin its answer within 20 ms.",
    });
  });

  it.each([{ connect: 0 }, { firstByte: -1 }, { idle: Number.NaN }, { total: 0 }])("is not %j", (timeouts) => {
    expect(() => createFetch({ timeouts })).toThrow(RangeError);
  });

  it("may be infinite, or longer than the longest timer", async () => {
    const { url } = await serve((_request, response) => response.end("Hi."));
    for (const limit of [Number.POSITIVE_INFINITY, 2 ** 40]) {
      const patient = createFetch({ timeouts: { connect: limit, firstByte: limit, idle: limit, total: limit } });
      expect(await (await patient(url)).text()).toBe("Hi.");
    }
  });

  it("does not keep a process alive once the body ended, was cancelled or was left unread", async () => {
    const { url } = await serve((_request, response) => response.end("Hi."));
    const script = `
      import { createFetch } from ${JSON.stringify(new URL("create-fetch.ts", import.meta.url).href)};
      const patient = createFetch({ timeouts: { total: 3_600_000 } });
      await (await patient(process.argv[1])).text();
      await (await patient(process.argv[1])).body.cancel();
      await patient(process.argv[1]);
    `;
    const child = startNode(["--input-type=module", "-e", script, url], "inherit");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

async function drip(response: ServerResponse): Promise<void> {
  while (!response.destroyed) {
    response.write(".");
    await pause(5);
  }
}

/** The port of a process that listens and never accepts, and whose queue is full: the next connection waits for ever. */
async function fullBacklog(): Promise<number> {
  const script = `
    const server = require("node:net").createServer();
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      require("node:fs").writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });
  `;
  const [output] = await once(startNode(["-e", script], "pipe").stdout ?? process.stdin, "data");
  const port = Number(output);
  for (let count = 0; count < 64; count++) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    const isConnected = await Promise.race([once(socket, "connect").then(() => true), pause(400).then(() => false)]);
    if (!isConnected) return port;
  }
  throw new Error("The queue of the listener does not fill.");
}
