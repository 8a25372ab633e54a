import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import type { Handler } from "../handler.ts";
import { nodeListener } from "./node-listener.ts";

/** Sends a request with these very headers, which `fetch` would not. */
async function ask(url: string, options: RequestOptions = {}, body?: string) {
  const sent = request(url, { agent: false, ...options }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { sent, response, status: response.statusCode, headers: response.headers };
}

/** Bytes as a client writes them, and what comes back until the connection is closed. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

describe("nodeListener", () => {
  it("gives the handler the request as it came, and the client the response", async () => {
    const heard: unknown[] = [];
    const { url } = await serve(
      nodeListener(async (request) => {
        heard.push(request.method, request.url, request.headers.get("x-a"), await request.text());
        const headers = new Headers({ "x-b": "2" });
        for (const cookie of ["a=1", "b=2"]) headers.append("set-cookie", cookie);
        return new Response("answer", { status: 202, headers });
      }),
    );
    const headers = { "x-a": ["1", "2"] };
    const { response, status, headers: answered } = await ask(`${url}/p%20q?r=s`, { method: "POST", headers }, "body");
    expect(heard).toEqual(["POST", `${url}/p%20q?r=s`, "1, 2", "body"]);
    expect(status).toBe(202);
    expect(answered).toMatchObject({ "x-b": "2", "set-cookie": ["a=1", "b=2"] });
    expect(await text(response)).toBe("answer");
  });

  it("writes no faster than the client reads, and cancels the body and aborts the signal when the client leaves", async () => {
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
    let given = 0;
    const chunk = new Uint8Array(50_000);
    const server = await serve(
      nodeListener(async ({ signal }) => {
        signal.addEventListener("abort", () => abort());
        const pull = (controller: ReadableStreamDefaultController) => {
          given++;
          controller.enqueue(chunk);
        };
        return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }));
      }),
    );
    const { sent, response } = await ask(server.url);
    await once(response, "readable");
    // A megabyte or a few fit into the buffers of both ends.
    let before = -1;
    for (; before !== given; await new Promise((resolve) => setTimeout(resolve, 50))) before = given;
    expect(given).toBeLessThan(1000);
    sent.destroy();
    await Promise.all([aborted, cancelled]);
    await expect.poll(() => server.open).toBe(0);
  });

  it("answers although the rest of a large body is still on its way, and goes on with the connection or closes it", async () => {
    const handler: Handler = async ({ body }) => {
      await body?.cancel();
      return new Response("too large", { status: 413 });
    };
    const server = await serve(nodeListener(handler));
    const { status, response } = await ask(server.url, { method: "POST" }, "x".repeat(5_000_000));
    expect([status, await text(response)]).toEqual([413, "too large"]);
    // The rest never comes.
    const answer = await raw(server.port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx");
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("breaks the connection if the body fails or the handler throws", async () => {
    const failing: Record<string, Handler> = {
      "/body": async () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode("begun")),
            pull: (controller) => controller.error(new Error("no")),
          }),
        ),
      "/throws": async () => {
        throw new Error("no");
      },
    };
    const { url } = await serve(nodeListener((request) => failing[new URL(request.url).pathname]?.(request) as never));
    const { response } = await ask(`${url}/body`);
    await expect(text(response)).rejects.toMatchObject({ code: "ECONNRESET" });
    await expect(ask(`${url}/throws`)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it.each([
    ["a whole address", "GET http://evil.test/x HTTP/1.1\r\nHost: x"],
    ["no path", "OPTIONS * HTTP/1.1\r\nHost: x"],
    ["a host that is part of a path", "GET /x HTTP/1.1\r\nHost: x/y?"],
    ["a host with a name and a password", "GET /x HTTP/1.1\r\nHost: x@y"],
    ["two hosts", "GET /x HTTP/1.1\r\nHost: x\r\nHost: y"],
    ["an empty host", "GET /x HTTP/1.1\r\nHost:"],
    ["a method that the Web platform lacks", "TRACE /x HTTP/1.1\r\nHost: x"],
  ])("refuses %s without asking the handler", async (_, head) => {
    let count = 0;
    const { port } = await serve(
      nodeListener(async () => {
        count++;
        return new Response();
      }),
    );
    expect(await raw(port, `${head}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(count).toBe(0);
  });
});
