import { createAgent, type RunOptions } from "@cogency/agent";
import { type LogEvent, parseResults } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import type { Connector } from "../src/client/connector.ts";
import { mcp } from "../src/client/create-mcp.ts";
import type { McpOptions } from "../src/client/mcp-options.ts";
import { revisions } from "./support/answering.ts";
import { connectorTo, libraryServer } from "./support/library-server.ts";
import { type Handler, rawTransport } from "./support/raw-server.ts";

const here = { conversation: "c" };
const keyRing = createKeyRing(["a ring that several machines have in common"]);
const block = (name: string, args: object) => `<execute>${JSON.stringify([{ name, args }])}</execute>`;
const lend = block("library__lend", { book: "Faust" });

const results = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));
const questions = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "record" && event.kind === "question" ? [event.data.message] : []));

describe("an agent with a server of 2025-11-25", () => {
  /** What a call of the only tool of a server gives. */
  async function resultOf(handle: Handler, definition: object, options: RunOptions) {
    const connector: Connector = {
      kind: "http",
      identity: "test:raw",
      hide: (text) => text.replaceAll("hush-hush", "[hidden]"),
      async *transports() {
        yield await rawTransport(async (request, peer) => {
          if (request.method === "server/discover") throw { code: -32601, message: "Method not found" };
          const tool = { name: "report", inputSchema: { type: "object" }, ...definition };
          return request.method === "tools/list" ? { tools: [tool] } : handle(request, peer);
        });
      },
    };
    const servers = mcp({ servers: { raw: { connector, approval: { "*": "allow" } } } });
    const store = memoryStore();
    const provider = scripted([block("raw__report", {}), "Done."]);
    await createAgent({ provider, store, keyRing })
      .use(servers)
      .ask("Go.", { ...here, ...options });
    await servers.close();
    return results(await store.load(here))[0];
  }

  it("runs a tool as a task where it runs in no other way, and puts what the task asks to the person", async () => {
    const task = { taskId: "t1", status: "working", pollInterval: 1, createdAt: "", lastUpdatedAt: "", ttl: null };
    const requestedSchema = { type: "object", properties: { year: { type: "integer" } } };
    const result = await resultOf(
      async ({ method }, peer) => {
        if (method === "tools/call") return { task };
        if (method === "tasks/get") return { ...task, status: "input_required" };
        if (method !== "tasks/result") return {};
        const _meta = { "io.modelcontextprotocol/related-task": { taskId: "t1" } };
        const { content } = await peer.request("elicitation/create", {
          message: "Which year?",
          requestedSchema,
          _meta,
        });
        return { content: [{ type: "text", text: JSON.stringify(content) }] };
      },
      { execution: { taskSupport: "required" } },
      { answer: () => ({ year: 2026 }) },
    );
    expect(result).toMatchObject({ status: "success", content: '{"year":2026}' });
  });

  it("keeps secrets of the host out of what a server says of its progress", async () => {
    const told: unknown[] = [];
    const handle: Handler = ({ method, params }, peer) => {
      if (method !== "tools/call") return {};
      const { progressToken } = params._meta as { progressToken: number };
      peer.notify("notifications/progress", { progressToken, progress: 1, message: "I have hush-hush." });
      return { content: [{ type: "text", text: "hush-hush" }] };
    };
    const on: RunOptions["on"] = (event) => {
      if (event.type === "tool_progress") told.push(event.update);
    };
    expect(await resultOf(handle, {}, { on })).toMatchObject({ content: "[hidden]" });
    expect(told).toEqual([{ progress: 1, message: "I have [hidden]." }]);
  });

  it("opens nothing by itself where a server needs an address to be opened first", async () => {
    const elicitation = { mode: "url", message: "Log in.", url: "https://example.com/login", elicitationId: "1" };
    const handle: Handler = ({ method }) => {
      if (method === "tools/call") throw { code: -32042, message: "Log in.", data: { elicitations: [elicitation] } };
      return {};
    };
    expect(await resultOf(handle, {}, { answer: () => "decline" })).toMatchObject({
      status: "failure",
      content: "The server raw needs an address to be opened first, which nobody did.",
    });
  });
});

describe.each(revisions)("an agent with a server that asks, revision %s", (revision) => {
  /** Machines that share a store; `events` are what the server has done. */
  function machines(options: Partial<McpOptions> = {}, store: Store = memoryStore()) {
    const events: string[] = [];
    const heard: string[] = [];
    const agent = (...answers: ScriptedStep[]) => {
      const connector = connectorTo(() => libraryServer(events), revision);
      const servers = mcp({
        servers: { library: { connector, approval: { "*": "allow" } } },
        observer: (event) => void (event.type === "log" && heard.push(event.text)),
        ...options,
      });
      return { servers, ...createAgent({ provider: scripted(answers), store, keyRing }).use(servers) };
    };
    return { store, events, heard, agent };
  }

  it("puts the question to the person of the run, with its choices and defaults", async () => {
    const { store, events, agent } = machines();
    const asked: unknown[] = [];
    const run = await agent(lend, "Done.").ask("Lend.", {
      ...here,
      answer: ({ call, message, schema }) => {
        asked.push([call?.name, message.split("\n")[2], schema]);
        return { days: "14" };
      },
    });
    expect(run.text).toBe("Done.");
    expect(results(await store.load(here))).toMatchObject([{ status: "success", content: "Lent to Ada." }]);
    expect(events).toEqual(["asked who borrows Faust", "lent Faust to Ada for 14 days"]);
    expect(asked).toEqual([
      [
        "library__lend",
        "> Who borrows Faust?",
        {
          type: "object",
          properties: { name: { type: "string", default: "Ada" }, days: { type: "string", enum: ["7", "14"] } },
          required: expect.arrayContaining(["days"]),
          additionalProperties: false,
        },
      ],
    ]);
  });

  it("waits where nobody is there, and goes on in another process with the answer, without asking again", async () => {
    const { store, events, agent } = machines();
    const first = await agent(lend).ask("Lend.", here);
    expect(first).toMatchObject({ status: "waiting", waiting: [{ asks: "answer", name: "library__lend" }] });
    expect(events).toEqual(["asked who borrows Faust"]);
    const content = { name: "Bob", days: "7" };
    await agent().send(here, { kind: "answer", question: first.waiting?.[0]?.question ?? "", content });
    expect(await agent("Lent.").recover(here).result).toMatchObject({ status: "completed", text: "Lent." });
    const log = await store.load(here);
    expect(results(log)).toMatchObject([{ status: "success", content: "Lent to Bob." }]);
    expect(new Set(questions(log)).size).toBe(1);
    expect(events.filter((event) => event.startsWith("lent"))).toEqual(["lent Faust to Bob for 7 days"]);
  });

  it("tells the server that the person does not want to answer", async () => {
    const { store, events, heard, agent } = machines();
    const answer = () => {
      throw new Error("the user did not want to answer.");
    };
    await agent(lend, "Done.").ask("Lend.", { ...here, answer });
    expect(results(await store.load(here))).toMatchObject([{ content: "Not lent." }]);
    expect(events).toEqual(["asked who borrows Faust"]);
    expect(heard).toContain("A question was answered with decline: the person gave no answer.");
  });

  it("has the host's model answer a server, once the person allows it", async () => {
    const provider = scripted(["A fine book."]);
    const { store, agent } = machines({ sampling: { provider } });
    const asked: string[] = [];
    const answer = ({ message }: { message: string }) => {
      asked.push(message);
      return "allow";
    };
    await agent(block("library__blurb", {}), "Done.").ask("Blurb.", { ...here, answer });
    expect(String(results(await store.load(here))[0]?.content)).toContain("A fine book.");
    expect(asked[0]).toContain('The server "library" asks the model scripted-1 for an answer');
    provider.assertDone();
  });

  it("sends nothing to that model before the person has allowed it, also where nobody is there", async () => {
    const provider = scripted(["A fine book."]);
    const { store, agent } = machines({ sampling: { provider } });
    const first = await agent(block("library__blurb", {})).ask("Blurb.", here);
    expect(first).toMatchObject({ status: "waiting", waiting: [{ asks: "answer", name: "library__blurb" }] });
    expect(provider.requests).toEqual([]);
    await agent().send(here, { kind: "answer", question: first.waiting?.[0]?.question ?? "", content: "allow" });
    expect(await agent("Done.").recover(here).result).toMatchObject({ status: "completed" });
    expect(String(results(await store.load(here))[0]?.content)).toContain("A fine book.");
    provider.assertDone();
  });

  it("gives the model one tool for resources, whose reads ask the person", async () => {
    const { store, agent } = machines({
      servers: { library: { connector: connectorTo(() => libraryServer(), revision) } },
    });
    const steps = [
      block("mcp_resources", { server: "library" }),
      block("mcp_resources", { server: "library", uri: "book://goethe/werther" }),
      "Done.",
    ];
    const why: string[] = [];
    await agent(...steps).ask("Read.", {
      ...here,
      approve: ({ concerns }) => {
        why.push(...concerns.map((concern) => concern.why));
        return true;
      },
    });
    const [list, read] = results(await store.load(here));
    expect(list?.content).toMatchObject({
      resources: [
        { uri: "book://faust", name: "Faust", description: "A play." },
        { template: "book://{author}/{title}", variables: ["author", "title"] },
      ],
      serverSays: "Lend one book at a time.",
    });
    expect(read?.content).toMatchObject({
      server: "library",
      uri: "book://goethe/werther",
      text: "The text of werther.",
    });
    expect(why).toEqual(["The server library gets this address, and answers what it likes."]);
  });

  it("offers prompts, resources and proposals to the host", async () => {
    const { servers } = machines().agent();
    expect(await servers.connect()).toMatchObject([{ status: "ready", protocol: revision, problems: [] }]);
    expect(servers.prompts()).toMatchObject([
      { server: "library", name: "review", args: [{ name: "book", required: true }] },
    ]);
    expect(await servers.prompt("library", "review", { book: "Faust" })).toEqual({
      text: "Review Faust.",
      attachments: [],
    });
    await expect(servers.prompt("library", "review")).rejects.toMatchObject({ code: "invalid_arguments" });
    expect(await servers.complete("library", { prompt: "review", argument: "book", value: "fa" })).toEqual(["faust"]);
    const template = "book://{author}/{title}";
    expect(await servers.complete("library", { template, argument: "author", value: "g" })).toEqual([
      "goethe",
      "grass",
    ]);
    expect(servers.resources()).toHaveLength(2);
    expect((await servers.read("library", "book://faust")).value).toMatchObject({ text: "Habe nun, ach!" });
    await expect(servers.read("library", "book://nothing/at/all")).rejects.toThrow(/not found/i);
    await servers.close();
  });
});
