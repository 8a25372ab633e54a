import type { IncomingMessage, ServerResponse } from "node:http";
import { type Loopback, page, serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { errorOf } from "../../test/web/error-of.ts";
import { braveSearch } from "./search/brave-search.ts";
import type { SearchBackend } from "./search/search-backend.ts";
import { searxngSearch } from "./search/searxng-search.ts";
import { tavilySearch } from "./search/tavily-search.ts";
import { searchTool } from "./search-tool.ts";

const apiKey = "key-CANARY-1234567890";
const query = 'bread & "salt"';

interface Case {
  name: string;
  make(url: string): SearchBackend;
  /** The answer of the service in its own format, for these results. */
  answer(results: { title: string; url: string; text: string }[]): object;
  asked: object;
}

const services: Case[] = [
  {
    name: "brave",
    make: (url) => braveSearch({ apiKey, url }),
    answer: (results) => ({
      type: "search",
      query: { original: query, more_results_available: true },
      web: {
        type: "search",
        results: results.map(({ text, ...rest }) => ({ ...rest, description: text, language: "en" })),
      },
    }),
    asked: {
      method: "GET",
      url: "/res/v1/web/search?q=bread+%26+%22salt%22&count=3&text_decorations=false",
      headers: expect.objectContaining({ "x-subscription-token": apiKey, accept: "application/json" }),
      body: "",
    },
  },
  {
    name: "tavily",
    make: (url) => tavilySearch({ apiKey, url }),
    answer: (results) => ({
      query,
      answer: null,
      images: [],
      results: results.map(({ text, ...rest }) => ({ ...rest, content: text, score: 0.9, raw_content: null })),
      response_time: 1.2,
    }),
    asked: {
      method: "POST",
      url: "/search",
      headers: expect.objectContaining({ authorization: `Bearer ${apiKey}`, "content-type": "application/json" }),
      body: JSON.stringify({ query, max_results: 3, search_depth: "basic" }),
    },
  },
  {
    name: "searxng",
    make: (url) => searxngSearch({ url }),
    answer: (results) => ({
      query,
      number_of_results: 0,
      results: results.map(({ text, ...rest }) => ({ ...rest, content: text, engine: "duckduckgo", score: 1 })),
      answers: [],
      unresponsive_engines: [],
    }),
    asked: {
      method: "GET",
      url: "/search?q=bread+%26+%22salt%22&format=json",
      headers: expect.objectContaining({ accept: "application/json" }),
      body: "",
    },
  },
];

const found = [1, 2, 3, 4].map((at) => ({
  title: `Title ${at}`,
  url: `https://example.com/${at}`,
  text: `Text ${at}`,
}));

function answering(status: number, body: string, headers: Record<string, string> = {}): Promise<Loopback> {
  return serve((_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, `${apiKey}`, { "content-type": "application/json", ...headers }).end(body);
  });
}

describe.each(services)("search with $name", ({ name, make, answer, asked }) => {
  it("asks the service in its own format and returns the common results", async () => {
    const requests: unknown[] = [];
    const server = await serve(async (request, response) => {
      const body = (await request.toArray()).join("");
      requests.push({ method: request.method, url: request.url, headers: request.headers, body });
      page(JSON.stringify(answer(found)), "application/json")(request, response);
    });
    // The service is on loopback, which the host may choose.
    expect(await call(searchTool(make(`${server.url}/`)), { query, limit: 3 })).toEqual({
      results: found.slice(0, 3).map(({ text, ...rest }) => ({ ...rest, snippet: text })),
    });
    expect(requests).toEqual([asked]);
  });

  it("returns an empty list when the service found nothing", async () => {
    const server = await answering(200, JSON.stringify(answer([])));
    expect(await call(searchTool(make(server.url)), { query })).toEqual({ results: [] });
  });

  it.each([
    [401, {}, "refuses the key", undefined],
    [403, {}, "refuses the key", undefined],
    [429, { "retry-after": "30" }, "Wait 30 seconds", 30],
    [429, {}, "Wait a while", undefined],
    [432, {}, "used up", undefined],
    [422, {}, "does not take this query", undefined],
    [500, {}, "out of order", undefined],
    [503, {}, "out of order", undefined],
    [302, { location: `https://elsewhere.example/?key=${apiKey}` }, "has moved", undefined],
  ])("explains the status %i without the text of the answer", async (status, headers, text, retryAfter) => {
    const server = await answering(status, JSON.stringify({ error: `wrong key ${apiKey}` }), headers);
    const error = await errorOf(call(searchTool(make(server.url)), { query }));
    expect(error).toMatchObject({ code: "http_status", status, retryAfter, message: expect.stringContaining(text) });
    expect(error.message).toContain(`${name} answered ${status}`);
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain("CANARY");
  });

  it("follows no redirect, so that no other server gets the key", async () => {
    const other = await answering(200, JSON.stringify(answer(found)));
    const server = await answering(307, "", { location: `${other.url}/` });
    await expect(call(searchTool(make(server.url)), { query })).rejects.toMatchObject({ code: "http_status" });
    expect(other.connections).toBe(0);
  });

  it.each(["", "not json", "[]", "null", '{"results": 1}', '{"results": [{"title": 1}]}', '{"type": "error"}'])(
    "rejects the answer %j as bad_response",
    async (body) => {
      const server = await answering(200, body);
      const error = await errorOf(call(searchTool(make(server.url)), { query }));
      expect(error).toMatchObject({ code: "bad_response", message: expect.stringContaining(name) });
    },
  );

  it("says that the service cannot be reached", async () => {
    const error = await errorOf(call(searchTool(make("http://127.0.0.1:1")), { query }));
    expect(error.code).toBe("network");
    expect(`${error.stack} ${JSON.stringify(error)} ${JSON.stringify(error.cause)}`).not.toContain("CANARY");
  });

  it("ends with the signal and closes the connection", async () => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort(new Error("left")));
    await expect(call(searchTool(make(server.url)), { query }, controller.signal)).rejects.toThrow("left");
    await expect.poll(() => server.open, { timeout: 10_000 }).toBe(0);
  });

  it("refuses an invalid address when it is made", () => {
    expect(() => make("not a url")).toThrow(expect.objectContaining({ code: "url_invalid" }));
    expect(() => make("file:///x")).toThrow(expect.objectContaining({ code: "scheme_refused" }));
  });
});

describe("the address that a search connects to", () => {
  const search = async (backend: SearchBackend) =>
    errorOf(backend.search(query, { limit: 3, signal: new AbortController().signal }));
  const inner = [
    "127.0.0.1",
    "10.0.0.7",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "::1",
    "fd00::1",
    "::ffff:127.0.0.1",
  ];

  it.each(inner)("is never %s because a service's name resolves to it", async (address) => {
    const lookup = async () => [address];
    for (const backend of [
      braveSearch({ apiKey, lookup }),
      tavilySearch({ apiKey, lookup }),
      searxngSearch({ url: "http://searx.example", lookup }),
    ]) {
      expect(await search(backend)).toMatchObject({ code: "address_refused" });
    }
  });

  it("is an inner one only if the host names it, in `url` or in `allow`", async () => {
    const server = await serve((_, response) => response.writeHead(200).end(JSON.stringify({ results: [] })));
    const { port } = new URL(server.url);
    const lookup = async () => ["127.0.0.1"];
    for (const backend of [
      searxngSearch({ url: `http://127.0.0.1:${port}` }),
      searxngSearch({ url: `http://localhost:${port}`, lookup }),
      searxngSearch({ url: `http://searx.example:${port}`, lookup, allow: ["searx.example"] }),
      searxngSearch({ url: `http://searx.example:${port}`, lookup, allow: ["127.0.0.0/8"] }),
    ]) {
      expect(await backend.search(query, { limit: 3, signal: new AbortController().signal })).toEqual([]);
    }
  });
});

describe("search", () => {
  it("says what to do when the host configured no service", async () => {
    await expect(call(searchTool(), { query })).rejects.toMatchObject({
      code: "no_search_backend",
      message: expect.stringMatching(/scrape.*configured/),
    });
  });

  it("never shows the key, even if the service repeats it in a result", async () => {
    const body = { results: [{ title: `your key ${apiKey}`, url: `https://x.example/?k=${apiKey}`, content: apiKey }] };
    const server = await answering(200, JSON.stringify(body));
    const result = await call(searchTool(tavilySearch({ apiKey, url: server.url })), { query });
    expect(JSON.stringify(result)).not.toContain("CANARY");
    expect(result).toMatchObject({ results: [{ title: "your key [key]" }] });
  });

  it.each(["", "two words", "line\nbreak", "schlüssel"])("refuses the key %j without repeating it", (key) => {
    expect(() => braveSearch({ apiKey: key })).toThrow(expect.objectContaining({ code: "option_invalid" }));
    if (key)
      expect(() => tavilySearch({ apiKey: key })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(key) }),
      );
  });

  it("refuses an invalid timeout when it is made", () => {
    expect(() => tavilySearch({ apiKey, timeout: Number.NaN })).toThrow(
      expect.objectContaining({ code: "option_invalid" }),
    );
  });

  it("returns plain, short text, and only http and https addresses", async () => {
    const backend: SearchBackend = {
      name: "own",
      search: async () => [
        {
          title: "<strong>Salt</strong> &amp; <b>bread</b>",
          url: "https://example.com/",
          snippet: "a &lt;tag&gt;\n\n&quot;b&#x27;",
        },
        { title: "script", url: "javascript:alert(1)", snippet: "" },
        { title: "none", url: "nothing", snippet: "" },
        { title: "long", url: "http://example.com/", snippet: `x${"😀".repeat(1000)}` },
      ],
    };
    expect(await call(searchTool(backend), { query })).toEqual({
      results: [
        { title: "Salt & bread", url: "https://example.com/", snippet: `a <tag> "b'` },
        { title: "long", url: "http://example.com/", snippet: `x${"😀".repeat(249)}…` },
      ],
    });
  });

  it("never returns more than `limit` results, whatever the service does", async () => {
    const results = Array.from({ length: 50 }, (_, at) => ({
      title: "t",
      url: `https://example.com/${at}`,
      snippet: "",
    }));
    const tool = searchTool({ name: "own", search: async () => results });
    expect(await call(tool, { query })).toMatchObject({ results: { length: 5 } });
    expect(await call(tool, { query, limit: 20 })).toMatchObject({ results: { length: 20 } });
    await expect(call(tool, { query, limit: 21 })).rejects.toThrow("limit");
  });

  it("asks the service for the words alone, and refuses a blank query", async () => {
    const asked: string[] = [];
    const search: SearchBackend["search"] = async (words) => {
      asked.push(words);
      return [];
    };
    const tool = searchTool({ name: "own", search });
    await call(tool, { query: " salt " });
    await expect(call(tool, { query: " \n" })).rejects.toMatchObject({ name: "WebError", code: "query_empty" });
    expect(asked).toEqual(["salt"]);
  });

  it("declares that it reaches outside and brings untrusted content", () => {
    const [tool, args] = [searchTool(), { query: "x", limit: 5 }];
    expect(tool.reachesOut?.(args)).toBe(true);
    expect(tool.brings?.(args)).toEqual([{ holds: "untrusted", source: "search" }]);
  });
});
