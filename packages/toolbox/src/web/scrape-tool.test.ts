import type { Json } from "@cogency/protocol";
import { page, serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { call, nobodyAnswers } from "../../test/call.ts";
import { scrapeTool } from "./scrape-tool.ts";
import { createWebClient } from "./web-client.ts";

const local = { allow: ["site.example"], lookup: async () => ["127.0.0.1"] };

async function siteWith(body: string, type: string): Promise<string> {
  return `http://site.example:${(await serve(page(body, type))).port}/page`;
}

describe("scrape", () => {
  it("returns the text of a page with its title and address", async () => {
    const url = await siteWith("<title>Bread</title><h1>Bread</h1><p>Flour, <a href='/water'>water</a>.", "text/html");
    const origin = new URL(url).origin;
    expect(await call(scrapeTool(local), { url })).toEqual({
      url,
      title: "Bread",
      text: `## Bread\n\nFlour, [water](${origin}/water).`,
    });
  });

  it.each([
    ["application/json", '{"a": "<b>1</b>"}'],
    ["text/plain", "<p>as it is"],
    ["text/markdown", "# as *it* is"],
    ["application/xml", "<a>as it is</a>"],
  ])("returns %s unchanged", async (type, body) => {
    const url = await siteWith(body, type);
    expect(await call(scrapeTool(createWebClient(local)), { url })).toEqual({ url, text: body });
  });

  it("continues where the page before ended", async () => {
    const url = await siteWith("0123456789\n".repeat(4000), "text/plain");
    const first = await call(scrapeTool(local), { url });
    expect(first).toMatchObject({ total: 44_000, next: 19_998 });
    const second = await call(scrapeTool(local), { url, from: 19_998 });
    expect(second).toMatchObject({ text: expect.stringMatching(/^0123456789\n/), next: 39_996 });
    await expect(call(scrapeTool(local), { url, from: 44_000 })).rejects.toMatchObject({ code: "offset_invalid" });
  });

  it("reaches no inner address unless the host allows it", async () => {
    const inside = await serve(page("inside"));
    await expect(call(scrapeTool(), { url: inside.url })).rejects.toMatchObject({ code: "address_refused" });
    expect(inside.connections).toBe(0);
    expect(await call(scrapeTool({ allow: ["127.0.0.1"] }), { url: inside.url })).toMatchObject({ text: "inside" });
  });

  it("ends when its signal aborts while the server is silent", async () => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort(new Error("left")));
    const url = `http://site.example:${server.port}/`;
    await expect(call(scrapeTool(local), { url }, controller.signal)).rejects.toThrow("left");
    await expect.poll(() => server.open, { timeout: 10_000 }).toBe(0);
  });

  it("asks by default, and declares that it reads the open world", () => {
    const { approval, annotations } = scrapeTool();
    expect(approval).toBe("ask");
    expect(annotations).toEqual({ readOnlyHint: true, idempotentHint: true, openWorldHint: true });
  });

  it.each([
    ["https://example.com/a?secret=1#x", "host:example.com", "scrape https://example.com/a"],
    ["https://b\u00fccher.example/", "host:xn--bcher-kva.example", "scrape https://xn--bcher-kva.example/"],
    // The first letter is Cyrillic.
    ["https://\u0430pple.com/", "host:xn--pple-43d.com", "scrape https://xn--pple-43d.com/"],
    ["HTTP://EXAMPLE.com.:8080/", "host:example.com", "scrape http://example.com.:8080/"],
    ["http://0x7f.1/", "host:127.0.0.1", "scrape http://127.0.0.1/"],
  ])("names the host of %s and the source of its text, without the query", async (url, host, source) => {
    const tool = scrapeTool();
    expect(await tool.resource?.({ url, from: 0 })).toBe(host);
    expect(tool.brings?.({ url, from: 0 })).toEqual([{ holds: "untrusted", source }]);
    expect(tool.reachesOut?.({ url, from: 0 })).toBe(true);
  });

  it.each(["no address", "file:///etc/passwd", "https://user:secret@example.com/"])(
    "refuses %s before a person is asked",
    async (url) => {
      const refusal = (async () => scrapeTool().resource?.({ url, from: 0 }))();
      await expect(refusal).rejects.toMatchObject({ name: "WebError", message: expect.not.stringContaining("secret") });
    },
  );

  it("shortens a long address in its source", () => {
    const [content] = scrapeTool().brings?.({ url: `https://example.com/${"x".repeat(3000)}`, from: 0 }) ?? [];
    expect(content?.source).toHaveLength(208);
  });

  it("sends no cookie, credential or referrer along a redirect", async () => {
    const seen: string[][] = [];
    const second = await serve((request, response) => {
      seen.push(Object.keys(request.headers).sort());
      page("end", "text/plain")(request, response);
    }, "127.0.0.2");
    const headers = { location: `http://other.example:${second.port}/b`, "set-cookie": "a=b; Path=/; Domain=example" };
    const first = await serve((request, response) => {
      seen.push(Object.keys(request.headers).sort());
      if (request.url === "/again") page("end", "text/plain")(request, response);
      else response.writeHead(302, headers).end();
    });
    const lookup = async (host: string) => (host === "site.example" ? ["127.0.0.1"] : ["127.0.0.2"]);
    const tool = scrapeTool({ allow: ["site.example", "other.example"], lookup });
    await call(tool, { url: `http://site.example:${first.port}/a` });
    await call(tool, { url: `http://site.example:${first.port}/again` });
    const plain = ["accept", "accept-encoding", "connection", "host", "user-agent"];
    expect(seen).toEqual([plain, plain, plain]);
  });

  it("reports each address that it requests as progress", async () => {
    const server = await serve((request, response) => {
      if (request.url === "/a") response.writeHead(302, { location: "/b" }).end();
      else page("end", "text/plain")(request, response);
    });
    const updates: Json[] = [];
    const start = `http://site.example:${server.port}`;
    const tool = scrapeTool(local);
    const args = { url: `${start}/a` };
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    await tool.execute(
      { ...args, from: 0 },
      {
        call: { id: "call_1", name: "scrape", args },
        signal: new AbortController().signal,
        state: { events: [], metadata: {}, step: 1, usage },
        conversation: "test",
        user: undefined,
        progress: (update) => updates.push(update),
        ask: nobodyAnswers,
      },
    );
    expect(updates).toEqual([{ url: `${start}/a` }, { url: `${start}/b` }]);
  });
});
