import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { createFetch } from "./create-fetch.ts";

const kilobyte = Buffer.alloc(1_000, 0x78);

describe("a limit of size", () => {
  it.each([
    ["as it is", {}, Buffer.concat(Array(50).fill(kilobyte))],
    ["gzip", { "content-encoding": "gzip" }, gzipSync(Buffer.concat(Array(50).fill(kilobyte)))],
  ])("counts the bytes of an answer after decompression: %s", async (_, headers, body) => {
    const { url } = await serve((_request, response) => response.writeHead(200, headers).end(body));
    const host = new URL(url).host;
    const ask = async (answerBytes: number) => (await createFetch({ limits: { answerBytes } })(url)).text();
    expect(await ask(50_000)).toHaveLength(50_000);
    await expect(ask(49_999)).rejects.toMatchObject({
      code: "answer_too_large",
      retryable: false,
      message: expect.stringContaining(`${host} exceeded the limit of 49,999 bytes in one answer`),
    });
  });

  it("closes the connection of an answer without end, at once", async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_request, response) => {
      response.on("close", () => closed.resolve());
      void pour(response);
    });
    const response = await createFetch({ limits: { answerBytes: 100_000 } })(url);
    await expect(response.text()).rejects.toMatchObject({ code: "answer_too_large" });
    await closed.promise;
  });

  it.each([400, 404, 429, 500, 503])(
    "refuses the words of HTTP %i that are too many, with the status",
    async (status) => {
      const closed = Promise.withResolvers<void>();
      const { url } = await serve((_request, response) => {
        response.on("close", () => closed.resolve());
        response.writeHead(status);
        void pour(response);
      });
      await expect(createFetch({ limits: { errorBytes: 10_000 } })(url)).rejects.toMatchObject({
        code: "answer_too_large",
        retryable: false,
        status,
        message: expect.stringContaining("`limits.errorBytes`"),
      });
      await closed.promise;
    },
  );

  it("passes a refusal within the limit unchanged", async () => {
    const { url } = await serve((_request, response) =>
      response.writeHead(418, { "x-a": "1" }).end("Short and stout."),
    );
    const response = await createFetch({ limits: { errorBytes: 16 } })(url);
    expect(response).toMatchObject({ status: 418, statusText: "I'm a Teapot", url: `${url}/` });
    expect(response.headers.get("x-a")).toBe("1");
    expect(await response.text()).toBe("Short and stout.");
  });

  it("passes the bytes of a refusal that breaks off, and then the error", async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(500).write("Half a ", () => response.destroy());
    });
    const response = await createFetch()(url);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("Half a ");
    await expect(reader?.read()).rejects.toThrow(TypeError);
  });

  it("applies to a `fetch` of the user too", async () => {
    const body = "x".repeat(101);
    const fetch = createFetch({ limits: { answerBytes: 100 }, fetch: async () => new Response(body) });
    await expect((await fetch("http://acme.test")).text()).rejects.toMatchObject({ code: "answer_too_large" });
  });

  it("cannot be 0", () => {
    expect(() => createFetch({ limits: { answerBytes: 0 } })).toThrow(RangeError);
  });
});

describe("a redirect", () => {
  const elsewhere = async () => {
    const asked: string[] = [];
    const { url } = await serve((request, response) => {
      asked.push(request.url ?? "");
      response.end("here");
    });
    return { url, asked };
  };

  it.each([301, 302, 303, 307, 308])(
    "to another server is refused with HTTP %i, which gets nothing",
    async (status) => {
      const { url: target, asked } = await elsewhere();
      const location = `${target}/path?key=sk-canary#part`;
      const { url } = await serve((_request, response) => response.writeHead(status, { location }).end("Over there."));
      const failure = await createFetch()(url, { method: "POST", body: "{}" }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "bad_response", status, retryable: false });
      expect(String(failure)).toContain(`redirects to ${target} (HTTP ${status})`);
      expect(String(failure)).not.toMatch(/path|canary|part/);
      expect(asked).toEqual([]);
    },
  );

  it.each([
    ["/other", "to another path of its own"],
    ["//evil.example/x", "to http://evil.example"],
    ["https://user:password@evil.example/x", "to https://evil.example"],
    ["data:text/plain,hello", "elsewhere"],
    ["javascript:alert(1)", "elsewhere"],
    ["http://[", "elsewhere"],
  ])("to %s is an error that describes the target", async (location, words) => {
    const asked: string[] = [];
    const { url } = await serve((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(307, { location }).end();
    });
    await expect(createFetch()(url)).rejects.toThrow(`redirects ${words} (HTTP 307)`);
    expect(asked).toEqual(["/"]);
  });

  it("is refused without a location too", async () => {
    const { url } = await serve((_request, response) => response.writeHead(302).end());
    await expect(createFetch()(url)).rejects.toMatchObject({ code: "bad_response", status: 302 });
  });

  it("is not followed even if the request asks for it", async () => {
    const { url: target, asked } = await elsewhere();
    const { url } = await serve((_request, response) => response.writeHead(307, { location: target }).end());
    await expect(createFetch()(url, { redirect: "follow" })).rejects.toMatchObject({ code: "bad_response" });
    expect(asked).toEqual([]);
  });

  it("is refused afterwards if a `fetch` of the user followed it", async () => {
    const { url: target } = await elsewhere();
    const { url } = await serve((_request, response) => response.writeHead(307, { location: target }).end());
    const follows: typeof globalThis.fetch = (input, init) => fetch(input, { ...init, redirect: "follow" });
    await expect(createFetch({ fetch: follows })(url)).rejects.toThrow(`redirects to ${target}`);
  });

  it("is refused if a runtime hides it", async () => {
    const opaque = Object.defineProperties(new Response(null), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
    });
    await expect(createFetch({ fetch: async () => opaque })("http://acme.test")).rejects.toThrow(
      "redirects elsewhere,",
    );
  });
});

async function pour(response: ServerResponse): Promise<void> {
  while (!response.destroyed) {
    if (!response.write(kilobyte)) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
}
