import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { page, serve, serveTcp } from "@tooling/loopback";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { errorOf } from "../../test/web/error-of.ts";
import { createWebClient } from "./web-client.ts";

const site = "site.example";
/** Reaches the loopback servers of a test under one public-looking name. */
const local = { allow: [site], lookup: async () => ["127.0.0.1"] };

describe("createWebClient: requests and redirects", () => {
  it("sends a plain GET with its own user agent, without cookies", async () => {
    const seen: unknown[] = [];
    const server = await serve((request, response) => {
      seen.push([request.method, request.url, request.headers]);
      const cookie = { "set-cookie": "session=1" };
      if (request.url === "/a") response.writeHead(302, { location: "/b?q=1", ...cookie }).end();
      else response.writeHead(200, { "content-type": "text/plain", ...cookie }).end("done");
    });
    const asked: string[] = [];
    const start = `http://${site}:${server.port}`;
    const result = await createWebClient(local).get(`${start}/a#part`, { onRequest: (url) => asked.push(url) });
    expect(result).toEqual({ url: `${start}/b?q=1`, type: "plain", text: "done" });
    expect(asked).toEqual([`${start}/a#part`, `${start}/b?q=1`]);
    const headers = {
      host: `${site}:${server.port}`,
      "user-agent": expect.stringContaining("cogency"),
      accept: expect.stringContaining("text/html"),
      "accept-encoding": "gzip, br",
      connection: "close",
    };
    expect(seen).toEqual([
      ["GET", "/a", headers],
      ["GET", "/b?q=1", headers],
    ]);
  });

  it("does not use a proxy that the environment names", async () => {
    const proxy = await serve(page("proxied", "text/plain"));
    const server = await serve(page("direct", "text/plain"));
    for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await createWebClient(local).get(`http://${site}:${server.port}`)).text).toBe("direct");
    expect(proxy.connections).toBe(0);
  });

  it.each([301, 302, 303, 307, 308])("follows five redirects of status %i, and no sixth", async (status) => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(status, { location: `/${left - 1}` }).end();
      else page("end", "text/plain")(request, response);
    });
    const client = createWebClient(local);
    expect((await client.get(`http://${site}:${server.port}/5`)).text).toBe("end");
    const error = await errorOf(client.get(`http://${site}:${server.port}/6`));
    expect([error.code, server.connections]).toEqual(["too_many_redirects", 12]);
  });

  it("ends a loop of redirects", async () => {
    const server = await serve((_request, response) => response.writeHead(301, { location: "/" }).end());
    const error = await errorOf(createWebClient(local).get(`http://${site}:${server.port}/`));
    expect([error.code, server.connections]).toEqual(["too_many_redirects", 6]);
  });

  it.each([
    [404, {}, "404 Not Found. The page is not there", undefined],
    [403, {}, "not open to everyone", undefined],
    [429, { "retry-after": "17" }, "It asks to wait 17 seconds.", 17],
    [503, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, "It asks to wait 0 seconds.", 0],
    [500, { "retry-after": "soon" }, "Try again later", undefined],
    [302, {}, "302 Found", undefined],
    [799, {}, "answered 799.", undefined],
  ])("reports the status %i", async (status, headers, text, retryAfter) => {
    const server = await serve((_request, response) =>
      response.writeHead(status, "injected reason", headers).end("body"),
    );
    const error = await errorOf(createWebClient(local).get(`http://${site}:${server.port}/`));
    expect(error).toMatchObject({ code: "http_status", status, retryAfter, message: expect.stringContaining(text) });
    expect(error.message).not.toMatch(/injected|body/);
  });

  it("reports a closed port of an allowed host", async () => {
    const error = await errorOf(createWebClient(local).get(`http://${site}:1/`));
    expect(error).toMatchObject({ code: "network", message: expect.stringContaining("ECONNREFUSED") });
  });
});

describe("createWebClient: answers", () => {
  it.each([
    ["text/html; charset=utf-8", "html"],
    ["TEXT/HTML", "html"],
    ["application/xhtml+xml", "html"],
    ["text/plain;charset=us-ascii", "plain"],
    ["text/markdown", "markdown"],
    ["application/json", "json"],
    ["application/ld+json", "json"],
    ["text/xml", "xml"],
    ["application/rss+xml", "xml"],
  ])("reads %s as %s", async (header, type) => {
    const server = await serve(page("text", header));
    expect(await createWebClient(local).get(`http://${site}:${server.port}/`)).toMatchObject({ type, text: "text" });
  });

  it.each(["image/png", "application/pdf", "application/octet-stream", "text/javascript", "video/mp4", "nonsense", ""])(
    "refuses %j with its size",
    async (header) => {
      const server = await serve(page("12345", header, { "content-length": "5" }));
      const error = await errorOf(createWebClient(local).get(`http://${site}:${server.port}/`));
      expect(error).toMatchObject({
        code: "content_type",
        message: expect.stringContaining(header || "no content type"),
      });
      expect(error.message).toContain("5 bytes");
    },
  );

  it.each([
    ["gzip", gzipSync("packed")],
    ["x-gzip", gzipSync("packed")],
    ["GZIP", gzipSync("packed")],
    ["br", brotliCompressSync("packed")],
    ["deflate", deflateSync("packed")],
    ["identity", Buffer.from("packed")],
  ])("unpacks %s", async (encoding, body) => {
    const server = await serve(page(body, "text/plain", { "content-encoding": encoding }));
    expect((await createWebClient(local).get(`http://${site}:${server.port}/`)).text).toBe("packed");
  });

  it.each([
    ["zstd", Buffer.from("x")],
    ["gzip, gzip", gzipSync(gzipSync("x"))],
    ["gzip", Buffer.from("this is not packed")],
    ["br", Buffer.from("this is not packed")],
    ["gzip", gzipSync("x".repeat(1000)).subarray(0, 20)],
  ])("refuses a body that is not valid %s", async (encoding, body) => {
    const server = await serve(page(body, "text/plain", { "content-encoding": encoding }));
    const error = await errorOf(createWebClient(local).get(`http://${site}:${server.port}/`));
    expect(error.code).toBe("bad_response");
  });

  it.each([
    ["gzip", gzipSync(Buffer.alloc(50_000_000))],
    ["br", brotliCompressSync(Buffer.alloc(50_000_000))],
    ["deflate", deflateSync(Buffer.alloc(50_000_000))],
  ])("stops at the limit while it unpacks a %s bomb", async (encoding, bomb) => {
    const server = await serve(page(bomb, "text/plain", { "content-encoding": encoding }));
    const error = await errorOf(createWebClient(local).get(`http://${site}:${server.port}/`));
    expect(error).toMatchObject({ code: "too_large", message: expect.stringContaining("2097152 bytes") });
  });

  it("accepts a body of exactly the limit, and refuses a longer one", async () => {
    const server = await serve(page("x".repeat(1000), "text/plain"));
    const url = `http://${site}:${server.port}/`;
    expect((await createWebClient({ ...local, maxBytes: 1000 }).get(url)).text).toHaveLength(1000);
    expect((await errorOf(createWebClient({ ...local, maxBytes: 999 }).get(url))).code).toBe("too_large");
  });

  it("stops an endless body at the limit and closes the connection", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const chunk = "x".repeat(65_536);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    });
    const error = await errorOf(createWebClient(local).get(`http://${site}:${server.port}/`));
    expect(error.code).toBe("too_large");
    await expect.poll(() => server.open, { timeout: 10_000 }).toBe(0);
  });

  it("applies one time limit to the whole request, also to a body that trickles", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    const error = await errorOf(createWebClient({ ...local, timeout: 200 }).get(`http://${site}:${server.port}/`));
    expect(error.code).toBe("timeout");
    await expect.poll(() => server.open, { timeout: 10_000 }).toBe(0);
  });

  it("counts redirects towards the time limit", async () => {
    const server = await serve((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: "/" }).end(), 100);
    });
    const error = await errorOf(createWebClient({ ...local, timeout: 250 }).get(`http://${site}:${server.port}/`));
    expect(error.code).toBe("timeout");
    expect(server.connections).toBeLessThan(5);
  });

  it.each([
    ["headers that never end", (socket: { write(text: string): void }) => socket.write("HTTP/1.1 200 OK\r\nx: y\r\n")],
    ["an answer that never comes", () => {}],
  ])("times out on %s", async (_what, talk) => {
    const server = await serveTcp(talk);
    const error = await errorOf(createWebClient({ ...local, timeout: 200 }).get(`http://${site}:${server.port}/`));
    expect(error.code).toBe("timeout");
    await expect.poll(() => server.open, { timeout: 10_000 }).toBe(0);
  });

  it("times out on a name server that never answers", async () => {
    const client = createWebClient({ timeout: 100, lookup: () => new Promise(() => {}) });
    expect((await errorOf(client.get("http://slow.example/"))).code).toBe("timeout");
  });

  it.each([
    ["huge headers", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(1_000_000)}\r\n\r\n`],
    ["many headers", `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(100_000)}\r\n`],
    ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx"],
    ["a length and chunks", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
  ])("refuses an answer with %s", async (_what, answer) => {
    const server = await serveTcp((socket) => socket.write(answer));
    const error = await errorOf(createWebClient(local).get(`http://${site}:${server.port}/`));
    expect(error.code).toBe("bad_response");
    await expect.poll(() => server.open, { timeout: 10_000 }).toBe(0);
  });

  it("says that the connection broke off", async () => {
    const server = await serveTcp((socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf");
    });
    const error = await errorOf(createWebClient(local).get(`http://${site}:${server.port}/`));
    expect(error.code).toBe("network");
  });
});

describe("createWebClient: cancelling", () => {
  it("rejects at once with the signal's reason and closes the connection, in the middle of a body", async () => {
    const controller = new AbortController();
    const reason = new Error("the user left");
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).write("x");
      setImmediate(() => controller.abort(reason));
    });
    const got = createWebClient(local).get(`http://${site}:${server.port}/`, { signal: controller.signal });
    expect(await errorOf(got)).toBe(reason);
    await expect.poll(() => server.open, { timeout: 10_000 }).toBe(0);
  });

  it("ends during the lookup of a name", async () => {
    const controller = new AbortController();
    const client = createWebClient({ lookup: () => new Promise(() => controller.abort(new Error("left"))) });
    expect((await errorOf(client.get("http://slow.example/", { signal: controller.signal }))).message).toBe("left");
  });

  it("does not start if the signal has already aborted", async () => {
    const server = await serve(page("text"));
    const signal = AbortSignal.abort(new Error("left"));
    const got = createWebClient(local).get(`http://${site}:${server.port}/`, { signal });
    expect((await errorOf(got)).message).toBe("left");
    expect(server.connections).toBe(0);
  });
});
