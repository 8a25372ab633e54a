import { type Schema as JsonSchema, Validator } from "@cfworker/json-schema";
import { memoryStore, type Store, StoreError } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { framesOf } from "../../test/support/frames.ts";
import { call, questionIn, site } from "../../test/support/site.ts";
import { ofAll, ofOne } from "../routes/routes.ts";

interface Described {
  requestBody?: { content: { "application/json": { schema: JsonSchema } } };
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, JsonSchema> };
}

const json = { "content-type": "application/json" };
const prompt = { id: "1", kind: "prompt", content: "write" };

/** A handler in a state of its own for each request: a conversation `notes` with an open question, which `ada` may read. */
async function open(options: Parameters<typeof site>[0] = {}) {
  const made = site({ authenticate: () => ({ id: "ada" }), bodyTimeout: 20, maxBodyBytes: 1000, ...options }, [call]);
  const key = { conversation: "notes", user: "ada" };
  await made.agent.send(key, { kind: "prompt", content: "write" }, { id: "first" });
  await made.agent.sweep();
  return { ...made, key, question: await questionIn(made.store, key) };
}
type Site = Awaited<ReturnType<typeof open>>;

const document = async (): Promise<Document> => (await (await open()).ask("/openapi.json")).json() as Promise<Document>;
const schemaOf = (schema: JsonSchema, { components }: Document) =>
  new Validator({ ...schema, components } as JsonSchema, "2020-12", false);

/** A request that the address answers with a status, by the status and the address. */
type Provoke = (
  site: Site,
  ask: (init?: RequestInit & { query?: string; id?: string }) => Promise<Response>,
) => unknown;

type Provoked = Readonly<Record<number, { options?: () => Parameters<typeof site>[0]; by?: Provoke }>>;

const bodies: Readonly<Record<string, (site: Site) => object>> = {
  "PATCH /conversations/{conversation}": () => ({ title: "Named" }),
  "POST /conversations/{conversation}/messages": () => prompt,
  "POST /conversations/{conversation}/fork": () => ({ at: 3 }),
  "POST /conversations/{conversation}/points": () => ({ name: "Here", at: 1 }),
};

/** How a name comes to a status. */
const whileARunIsAtWork: Provoked = {
  202: { by: async ({ store, key }) => store.lease(key, { owner: "a run", ttl: 60_000 }) },
  400: { by: badName },
  404: { by: unknownName },
  429: {
    options: () => ({ limits: { waiting: 1 } }),
    by: async ({ store, key, post }) => {
      await store.lease(key, { owner: "a run", ttl: 60_000 });
      await post("/conversations/notes/messages", { id: "2", kind: "cancel" });
    },
  },
};

/** How a request with a good body, or none, comes to another status. */
const provoked: Readonly<Record<string, Provoked>> = {
  "GET /conversations": { 200: {}, 400: { by: (_, ask) => ask({ query: "?limit=0" }) } },
  "GET /changes": { 200: {}, 429: { options: () => ({ limits: { streams: 1 } }), by: (_, ask) => ask() } },
  "GET /openapi.json": { 200: {} },
  "GET /conversations/{conversation}": { 200: {}, 400: { by: badName }, 404: { by: unknownName } },
  "PATCH /conversations/{conversation}": {
    200: {},
    ...whileARunIsAtWork,
  },
  "DELETE /conversations/{conversation}": { 204: {}, 400: { by: badName }, 404: { by: unknownName } },
  "GET /conversations/{conversation}/events": {
    200: {},
    400: { by: badName },
    403: { by: (_, ask) => ask({ query: "?view=log" }) },
    409: { by: (_, ask) => ask({ headers: { "last-event-id": "999" } }) },
  },
  "GET /conversations/{conversation}/messages": {
    200: { by: ({ post }) => post("/conversations/notes/messages", prompt) },
    400: { by: badName },
  },
  "POST /conversations/{conversation}/messages": {
    202: {},
    400: { by: badName },
    404: {
      by: (_, ask) => ask({ id: "unknown", body: JSON.stringify({ id: "1", kind: "approve", question: "q" }) }),
    },
    409: { by: ({ agent, key }) => agent.send(key, { kind: "cancel" }, { id: "1" }) },
    429: {
      options: () => ({ limits: { waiting: 1 } }),
      by: ({ agent, key }) => agent.send(key, { kind: "steer", content: "x" }, { id: "2" }),
    },
  },
  "GET /conversations/{conversation}/questions": { 200: {}, 400: { by: badName }, 404: { by: unknownName } },
  "POST /conversations/{conversation}/fork": { 201: {}, 400: { by: badName }, 404: { by: unknownName } },
  "GET /conversations/{conversation}/forks": { 200: {}, 400: { by: badName }, 404: { by: unknownName } },
  "POST /conversations/{conversation}/points": { 200: {}, ...whileARunIsAtWork },
};

function badName(_: Site, ask: Parameters<Provoke>[1]) {
  return ask({ id: "a%00b" });
}

function unknownName(_: Site, ask: Parameters<Provoke>[1]) {
  return ask({ id: "unknown" });
}

const slow = () => new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });

/** How a request to any address comes to a status, and one with a body. */
const anywhere: Readonly<Record<number, { options?: () => Parameters<typeof site>[0]; by?: Provoke }>> = {
  401: { options: () => ({ authenticate: () => undefined }) },
  403: { by: (_, ask) => ask({ headers: { "sec-fetch-site": "cross-site", ...json } }) },
  408: { by: (_, ask) => ask({ body: slow(), duplex: "half" } as RequestInit) },
  413: { by: (_, ask) => ask({ body: JSON.stringify({ title: "x".repeat(2000) }) }) },
  415: { by: (_, ask) => ask({ headers: { "content-type": "text/plain" } }) },
  429: { options: () => ({ limits: { requests: 1 } }), by: (_, ask) => ask() },
  500: {
    options: () => ({
      authenticate: () => {
        throw new Error("no");
      },
    }),
  },
  503: { options: () => ({ authenticate: () => Promise.reject(new StoreError("unavailable", "no")) }) },
};

/** What a request comes to, as `provoke` says; the last response counts. */
async function answered(operation: string, status: number): Promise<{ response: Response; sent: string }> {
  const [method = "", path = ""] = operation.split(" ");
  const { options, by } = provoked[operation]?.[status] ?? anywhere[status] ?? {};
  const made = await open(options?.());
  const sent = JSON.stringify(bodies[operation]?.(made));
  let last: Response | undefined;
  const ask: Parameters<Provoke>[1] = async ({ query = "", id = "notes", ...init } = {}) => {
    const body = sent === undefined ? {} : { body: sent, headers: json };
    last = await made.ask(`${path.replace("{conversation}", id)}${query}`, { method, ...body, ...init });
    return last;
  };
  await by?.(made, ask);
  if (!last || last.ok) await ask();
  if (!last) throw new Error("no response");
  return { response: last, sent };
}

const operations = async () => {
  const described = await document();
  return Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== "parameters")
      .map(([method, operation]) => ({ described, operation, name: `${method.toUpperCase()} ${path}` })),
  );
};

describe("the description of the handler", () => {
  it("has every address and method of the handler, and no other", async () => {
    const routes = [
      ...[...ofAll].flatMap(([path, methods]) => [...methods.keys()].map((method) => `${method} ${path}`)),
      ...[...ofOne].flatMap(([path, methods]) =>
        [...methods.keys()].map((method) => `${method} /conversations/{conversation}${path}`),
      ),
    ];
    expect((await operations()).map(({ name }) => name).toSorted()).toEqual(routes.toSorted());
    const { openapi, servers } = await document();
    expect([openapi, servers]).toEqual(["3.1.1", [{ url: "/" }]]);
    const prefixed = await open({ prefix: "/api" });
    expect(await (await prefixed.ask("/api/openapi.json")).json()).toMatchObject({ servers: [{ url: "/api" }] });
  });

  it("names schemas that exist, and each of them is used", async () => {
    const text = JSON.stringify(await document());
    const { components } = await document();
    const used = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name));
    const ofStreams = ["Event", "Piece", "ListChange"];
    expect([...used, ...ofStreams].toSorted()).toEqual(Object.keys(components.schemas).toSorted());
  });

  it("has every status of every request, with its body, and the handler gives every status that it has", async () => {
    let checked = 0;
    for (const { described, operation, name } of await operations()) {
      for (const [status, { content, description }] of Object.entries(operation.responses)) {
        const { response, sent } = await answered(name, Number(status));
        expect(`${name} ${response.status}`).toBe(`${name} ${status}`);
        const type = response.headers.get("content-type") ?? undefined;
        expect([name, status, type]).toEqual([name, status, Object.keys(content ?? {})[0]]);
        checked++;
        if (type === "text/event-stream") await response.body?.cancel();
        if (type !== "application/json") continue;
        const body: unknown = await response.json();
        const { valid, errors } = schemaOf(content?.[type]?.schema ?? {}, described).validate(body);
        expect(valid, `${name} ${status}: ${JSON.stringify(errors)} in ${JSON.stringify(body)}`).toBe(true);
        if (!response.ok) expect(description.split(", ")).toContain((body as { code: string }).code);
        const schema = operation.requestBody?.content["application/json"].schema;
        if (response.ok && schema) expect(schemaOf(schema, described).validate(JSON.parse(sent)).valid).toBe(true);
      }
    }
    expect(checked).toBeGreaterThan(80);
    // Nothing that a test can bring about is missing.
    for (const { operation, name } of await operations())
      for (const status of Object.keys(provoked[name] ?? {})) expect(operation.responses).toHaveProperty(status);
  });

  it("says which messages may be posted: those that the handler takes, and no others", async () => {
    const described = await document();
    const isMessage = (body: object) =>
      schemaOf({ $ref: "#/components/schemas/Message" } as JsonSchema, described).validate(body).valid;
    const image = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=" };
    const messages = [
      prompt,
      { id: "1", kind: "steer", content: "x", attachments: [image] },
      { id: "1", kind: "approve", question: "QUESTION", reason: "r" },
      { id: "1", kind: "deny", question: "QUESTION" },
      { id: "1", kind: "answer", question: "QUESTION", content: { a: [1] } },
      { id: "1", kind: "cancel" },
      { id: "1", kind: "title", content: "x" },
      { id: "1", kind: "notice", content: "x" },
      { id: "", kind: "cancel" },
      { kind: "cancel" },
      { ...prompt, from: "root" },
      { ...prompt, content: 7 },
      { id: "1", kind: "deny", question: "QUESTION", rule: "r" },
      { id: "1", kind: "answer", question: "QUESTION" },
    ];
    const taken: boolean[] = [];
    for (const message of messages) {
      const made = await open();
      const body = JSON.parse(JSON.stringify(message).replace("QUESTION", made.question)) as object;
      const { status } = await made.post("/conversations/notes/messages", body);
      taken.push(status === 202);
      expect([JSON.stringify(message), isMessage(body)]).toEqual([JSON.stringify(message), status === 202]);
    }
    expect(taken.filter(Boolean)).toHaveLength(6);
  });

  it("has the schemas of what streams carry", async () => {
    const described = await document();
    const isA = (name: string, value: unknown) =>
      schemaOf({ $ref: `#/components/schemas/${name}` } as JsonSchema, described).validate(value).valid;
    const store: Store = memoryStore();
    const { ask, key } = await open({ store });
    const pieces = [
      { type: "text", run: "r", seq: 5, unit: 1, offset: 0, text: "a" },
      { type: "args", run: "r", seq: 5, unit: 2, offset: 0, text: "{", call: "c", name: "write" },
      { type: "progress", run: "r", seq: 5, call: "c", update: { done: 0.5 } },
    ] as const;
    store.live.publisher(key, () => pieces);
    const frames = framesOf(await ask("/conversations/notes/events"));
    const seen = [];
    for (let frame = await frames.next(); frame; frame = await frames.next()) {
      seen.push(frame);
      if (frame.event === "pieces") break;
    }
    await frames.leave();
    expect(seen.length).toBeGreaterThan(3);
    for (const { event, data } of seen)
      for (const value of event === "pieces" ? (data as unknown[]) : [data])
        expect([value, isA(event === "pieces" ? "Piece" : "Event", value)]).toEqual([value, true]);
    const changes = framesOf(await ask("/changes"));
    const list = (await changes.next())?.data;
    const next = changes.next();
    await store.append({ conversation: "more", user: "ada" }, [{ type: "user", content: "x", timestamp: 1 }]);
    const change = (await next)?.data;
    await changes.leave();
    expect([list, change].map((value) => isA("ListChange", value))).toEqual([true, true]);
    expect(isA("ListChange", { conversations: [{}] })).toBe(false);
  });
});
