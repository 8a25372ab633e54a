import { getEventListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { readerOf } from "../../../test/support/reader-of.ts";
import { createFetch } from "./create-fetch.ts";

describe("createFetch", () => {
  it("answers as fetch does", async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(201, { "content-type": "text/plain", "x-method": request.method });
      request.pipe(response);
    });
    const response = await createFetch()(`${url}/path`, { method: "POST", body: "héllo", headers: { "x-a": "1" } });
    expect(response).toMatchObject({ status: 201, ok: true, statusText: "Created", url: `${url}/path` });
    expect(response.headers.get("x-method")).toBe("POST");
    expect(await response.text()).toBe("héllo");
  });

  it.each([
    { status: 204, method: "GET" },
    { status: 304, method: "GET" },
    { status: 200, method: "HEAD" },
    { status: 200, method: "GET" },
  ])("passes an empty answer: $method $status", async ({ status, method }) => {
    const { url } = await serve((_request, response) => response.writeHead(status).end());
    const controller = new AbortController();
    const response = await createFetch()(url, { method, signal: controller.signal });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe("");
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("passes bodies byte by byte", async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
    const { url } = await serve((_request, response) => response.end(bytes));
    expect(new Uint8Array(await (await createFetch()(url)).arrayBuffer())).toEqual(bytes);
  });

  it("passes other errors unchanged", async () => {
    const { url } = await serve((request) => request.socket.destroy());
    await expect(createFetch()(url)).rejects.toThrow(TypeError);
    const { url: broken } = await serve(async (_request, response) => {
      response.write("half");
      await pause(30);
      response.destroy();
    });
    await expect((await createFetch()(broken)).text()).rejects.toThrow(TypeError);
  });

  it("accepts a Request, with its signal", async () => {
    const { url } = await serve(() => {});
    const controller = new AbortController();
    const asked = createFetch()(new Request(url, { signal: controller.signal }));
    controller.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });

  it("keeps a dispatcher that the caller gives", async () => {
    let dispatched = 0;
    const dispatcher = {
      dispatch() {
        dispatched++;
        throw new Error("no network");
      },
    };
    await expect(createFetch()("http://127.0.0.1:8080", { dispatcher } as object)).rejects.toThrow();
    expect(dispatched).toBe(1);
  });
});

describe("an abort", () => {
  it("before the request prevents it, even with a fetch that ignores its signal", async () => {
    let asked = 0;
    const deaf = async () => {
      asked++;
      return new Response("Hi.");
    };
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(createFetch({ fetch: deaf })("http://acme.test", { signal })).rejects.toThrow("enough");
    expect(asked).toBe(0);
  });

  it("while the server thinks closes the connection", async () => {
    const asked = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((request) => {
      request.socket.on("close", () => closed.resolve());
      asked.resolve();
    });
    const controller = new AbortController();
    const answer = createFetch()(url, { signal: controller.signal });
    await asked.promise;
    controller.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    await closed.promise;
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("within the body fails it with the reason and closes the connection", async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((request, response) => {
      request.socket.on("close", () => closed.resolve());
      response.write("half");
    });
    const controller = new AbortController();
    const reader = readerOf(await createFetch()(url, { signal: controller.signal }));
    expect(await reader.read()).toBe("half");
    const next = reader.read();
    controller.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
    await closed.promise;
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("within the body cancels the body even if the fetch ignores its signal", async () => {
    const cancelled = Promise.withResolvers<unknown>();
    const deaf = async () => new Response(new ReadableStream({ cancel: (reason) => cancelled.resolve(reason) }));
    const controller = new AbortController();
    const response = await createFetch({ fetch: deaf })("http://acme.test", { signal: controller.signal });
    const text = response.text();
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(text).rejects.toBe(reason);
    expect(await cancelled.promise).toBe(reason);
  });

  it("cancels a late answer from a fetch that ignores its signal", async () => {
    const cancelled = Promise.withResolvers<void>();
    const late = Promise.withResolvers<Response>();
    const controller = new AbortController();
    const answer = createFetch({ fetch: () => late.promise })("http://acme.test", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    late.resolve(new Response(new ReadableStream({ cancel: () => cancelled.resolve() })));
    await cancelled.promise;
  });

  it("after the answer changes nothing", async () => {
    const { url } = await serve((_request, response) => response.end("Hi."));
    const controller = new AbortController();
    const response = await createFetch()(url, { signal: controller.signal });
    expect(await response.text()).toBe("Hi.");
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    controller.abort();
  });

  it("is not needed if the body is cancelled, which closes the connection", async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((request, response) => {
      request.socket.on("close", () => closed.resolve());
      response.write("half");
    });
    const controller = new AbortController();
    const response = await createFetch()(url, { signal: controller.signal });
    await response.body?.cancel();
    await closed.promise;
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });
});

describe("a slow consumer", () => {
  it("makes the server wait", async () => {
    const piece = Buffer.alloc(64 * 1024);
    let written = 0;
    const { url } = await serve(function fill(request, response) {
      while (written < 256) {
        written++;
        if (!response.write(piece)) return response.once("drain", () => fill(request, response));
      }
      response.end();
    });
    const response = await createFetch()(url);
    const reader = response.body?.getReader();
    await reader?.read();
    let before = -1;
    while (before !== written) {
      before = written;
      await pause(100);
    }
    expect(written).toBeLessThan(256);
    await reader?.cancel();
  });
});
