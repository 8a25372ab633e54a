import type { Json, JsonObject, RunEvent } from "@cogency/protocol";
import { toParts } from "@cogency/protocol/parts";
import { scripted } from "@cogency/provider";
import { type ApprovalRequest, type CallOf, defineTool, type Tool, type ToolSource } from "@cogency/tools";
import type { LoggedCall, StopSignal } from "@cogency/tools/host";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import {
  type Agent,
  type AgentOptions,
  type Capability,
  createAgent,
  type OpenQuestion,
  type Run,
  type RunError,
  type RunListener,
  type RunOptions,
} from "./index.ts";
import { scriptedDriver } from "./scripted.ts";
import { toolSearch } from "./tool-search.ts";

const provider = scripted([]);
const lookup = defineTool({
  name: "lookup",
  description: "Look an order up.",
  input: z.object({ order: z.string(), fields: z.array(z.string()).optional() }),
  execute: () => null,
});
const refund = defineTool({
  name: "refund",
  description: "Refund an order.",
  input: z.object({ order: z.string(), amount: z.number().positive(), currency: z.string().default("EUR") }),
  execute: ({ currency }) => currency,
});
type Lookup = { order: string; fields?: string[] };
type Refund = { order: string; amount: number; currency?: string };
const agent = createAgent({ provider, tools: [lookup, refund] });
declare const dynamic: Tool[];

test("the name of a call that begins narrows its arguments", async () => {
  for await (const event of agent.run("go", { events: "all" })) {
    switch (event.type) {
      case "respond":
        expectTypeOf(event.content).toEqualTypeOf<string>();
        break;
      case "tool_started":
        expectTypeOf(event.name).toEqualTypeOf<"lookup" | "refund">();
        expectTypeOf(event.args.order).toEqualTypeOf<string>();
        if (event.name === "refund") {
          expectTypeOf(event.args).toEqualTypeOf<Refund>();
          // @ts-expect-error the tool has no such argument
          event.args.reason;
        } else {
          expectTypeOf(event.args).toEqualTypeOf<Lookup>();
        }
        // @ts-expect-error the agent has no such tool
        if (event.name === "refnd") return;
        break;
      case "tool_progress":
        expectTypeOf(event.name).toEqualTypeOf<"lookup" | "refund">();
        expectTypeOf(event.update).toEqualTypeOf<Json>();
        break;
      case "question_asked":
        expectTypeOf(event.name).toEqualTypeOf<"lookup" | "refund">();
        break;
      case "approval_requested":
        if (event.name === "refund") expectTypeOf(event.args).toEqualTypeOf<Refund>();
        expectTypeOf(event.touches).toEqualTypeOf<readonly string[]>();
        break;
      case "call_delta":
        expectTypeOf(event.name).toEqualTypeOf<string | undefined>();
        break;
      case "tool_blocked":
        expectTypeOf(event.name).toEqualTypeOf<string>();
        break;
    }
  }
});

test("the name of a call that has ended narrows its arguments only if it began, for others were never checked", async () => {
  for await (const event of agent.recover({ conversation: "c", events: "all" })) {
    if (event.type !== "tool_ended") continue;
    expectTypeOf(event.name).toEqualTypeOf<string>();
    expectTypeOf(event.result.content).toEqualTypeOf<Json>();
    if (event.name === "refund" && event.started) expectTypeOf(event.args).toEqualTypeOf<Refund>();
    if (event.started && event.name === "lookup") expectTypeOf(event.args).toEqualTypeOf<Lookup>();
    if (event.name === "refund") expectTypeOf(event.args).toEqualTypeOf<Refund | JsonObject>();
    if (!event.started) expectTypeOf(event.args).toEqualTypeOf<JsonObject>();
  }
});

test("listeners get the same types, also in parameters that are taken apart", () => {
  agent.on("tool_started", ({ name, args }) => {
    if (name === "refund") expectTypeOf(args).toEqualTypeOf<Refund>();
  });
  agent.on("*", (event) => {
    if (event.type === "tool_started" && event.name === "lookup") expectTypeOf(event.args).toEqualTypeOf<Lookup>();
  });
  agent.ask("go", {
    on(event) {
      if (event.type === "tool_started" && event.name === "refund") expectTypeOf(event.args).toEqualTypeOf<Refund>();
    },
  });
  // @ts-expect-error there is no such event
  agent.on("tool_begun", () => {});
});

test("the name of a call that asks narrows its arguments", () => {
  agent.ask("go", {
    async approve(request) {
      expectTypeOf(request.call.id).toEqualTypeOf<string>();
      if (request.call.name === "refund") return request.call.args.amount < 100;
      expectTypeOf(request.call.args).toEqualTypeOf<Lookup>();
      return { approved: false, reason: request.call.args.order };
    },
  });
  agent.ask("go", { answer: ({ call }) => (call.name === "refund" ? call.args.amount : call.args.fields) });
  agent.recover({ conversation: "c", approve: async ({ call }) => call.name === "refund" && call.args.amount < 100 });
  // @ts-expect-error not every call has an amount
  agent.ask("go", { approve: async ({ call }) => call.args.amount < 100 });
});

test("tools may be in a list of their own, and be defined where they are given", () => {
  const tools = [lookup, refund];
  expectTypeOf(createAgent({ provider, tools })).toEqualTypeOf<typeof agent>();
  const inline = createAgent({
    provider,
    tools: [
      defineTool({
        name: "add",
        description: "Add.",
        input: z.object({ a: z.number() }),
        execute: ({ a }) => expectTypeOf(a).toEqualTypeOf<number>(),
      }),
      lookup,
    ],
  });
  inline.on("tool_started", ({ name, args }) => {
    if (name === "add") expectTypeOf(args).toEqualTypeOf<{ a: number }>();
    else expectTypeOf(name).toEqualTypeOf<"lookup">();
  });
});

test("an agent whose tools are only known at run time has calls of any name", () => {
  for (const any of [
    createAgent({ provider, tools: dynamic }),
    createAgent({ provider }),
    createAgent({} as AgentOptions),
  ]) {
    expectTypeOf(any).toEqualTypeOf<Agent>();
    expectTypeOf(any.run("go", { events: "all" })).toEqualTypeOf<Run<RunEvent>>();
    any.on("tool_started", ({ name, args }) => {
      expectTypeOf(name).toEqualTypeOf<string>();
      if (name === "refund") expectTypeOf(args).toEqualTypeOf<JsonObject>();
    });
  }
  const mixed = createAgent({ provider, tools: [refund, ...dynamic] });
  mixed.on("tool_started", ({ name, args }) => {
    if (name === "refund") expectTypeOf(args).toExtend<JsonObject>();
    // @ts-expect-error any tool may have this name
    if (name === "refund") args.amount.toFixed();
  });
});

test("tools of which only the names are known leave the other tools their arguments", () => {
  const agent = createAgent({ provider, tools: [refund, ...([] as Tool<"read" | "write">[])] });
  agent.on("tool_started", ({ name, args }) => {
    expectTypeOf(name).toEqualTypeOf<"refund" | "read" | "write">();
    if (name === "refund") expectTypeOf(args).toEqualTypeOf<Refund>();
    else expectTypeOf(args).toEqualTypeOf<JsonObject>();
  });
});

test("what is written for any agent takes an agent with tools of its own", () => {
  const listener: RunListener = () => {};
  const options: RunOptions & { events: "all" } = { events: "all", on: listener, approve: async () => true };
  const settings: AgentOptions = { provider, tools: [lookup, refund] };
  const of = (any: Agent): Run<RunEvent> => any.run("go", options);
  const show = (event: RunEvent) => event.type;
  const asks = async ({ call }: ApprovalRequest) => call.args.amount === 5;
  expectTypeOf(of(agent)).toEqualTypeOf<Run<RunEvent>>();
  expectTypeOf(createAgent(settings)).toEqualTypeOf<Agent>();
  expectTypeOf(agent.run("go", options)).toExtend<Run<RunEvent>>();
  agent.on("*", listener);
  agent.on("tool_ended", show);
  agent.ask("go", { on: show, approve: asks });
  const events: RunEvent[] = [];
  agent.on("*", (event) => events.push(event));
  expectTypeOf(toParts(agent.run("go", { events: "all" }))).toBeObject();
});

test("the types have names, for functions of one's own", () => {
  type Call = CallOf<typeof lookup | typeof refund>;
  expectTypeOf(agent).toEqualTypeOf<Agent<Call>>();
  const listener = (event: RunEvent<Call>) => event.type;
  const approve = async ({ call }: ApprovalRequest<Call>) => call.name === "lookup";
  const options: RunOptions<Call> = { on: listener, approve };
  agent.run("go", options);
  expectTypeOf<LoggedCall<CallOf<typeof refund>>["args"]>().toEqualTypeOf<Refund>();
});

test("a search is a call of its own, where the names of the tools are known", () => {
  const searching = createAgent({ provider, tools: [lookup, refund], toolSearch: toolSearch({ keep: ["lookup"] }) });
  searching.on("tool_started", ({ name, args }) => {
    expectTypeOf(name).toEqualTypeOf<"lookup" | "refund" | "find_tools">();
    if (name === "find_tools") expectTypeOf(args).toEqualTypeOf<{ query: string }>();
    if (name === "refund") expectTypeOf(args).toEqualTypeOf<Refund>();
  });
  expectTypeOf(createAgent({ provider, tools: dynamic, toolSearch: toolSearch() })).toEqualTypeOf<Agent>();
  expectTypeOf(createAgent({ provider, tools: [lookup, refund], toolSearch: undefined })).toEqualTypeOf<typeof agent>();
  // @ts-expect-error the options belong in a call of toolSearch
  createAgent({ provider, toolSearch: { above: 5 } });
  toolSearch({ above: 20, limit: 3, rank: (query, tools) => tools.map(({ name }) => name + query) });
  toolSearch({ rank: async () => [] });
  // @ts-expect-error a ranking gives names
  toolSearch({ rank: () => [5] });
  // @ts-expect-error there is no such option
  toolSearch({ over: 40 });
});

test("with a source of tools, calls may have any name", () => {
  const source: ToolSource = { name: "docs", tools: () => [] };
  const sourced = createAgent({ provider, tools: [refund], sources: [source] });
  for (const any of [sourced, createAgent({ provider, tools: [refund] }).use({ name: "docs", sources: [source] })]) {
    any.on("tool_started", ({ name, args }) => {
      expectTypeOf(name).toEqualTypeOf<string>();
      // A tool of a source may not be named so, but its type does not say that.
      if (name === "refund") expectTypeOf(args).toEqualTypeOf<Refund | JsonObject>();
    });
  }
  expectTypeOf(createAgent({ provider, sources: [source] }).run("go", { events: "all" })).toExtend<Run<RunEvent>>();
  expectTypeOf(createAgent({ provider, tools: [lookup, refund], sources: undefined })).toEqualTypeOf<typeof agent>();
  const own: Capability<typeof lookup> = { name: "orders", tools: [lookup] };
  expectTypeOf(createAgent({ provider, tools: [refund] }).use(own)).toEqualTypeOf<typeof agent>();
  // @ts-expect-error a source is an object with a name
  createAgent({ provider, sources: [() => []] });
});

test("the status of a result narrows it", async () => {
  const result = await agent.ask("go");
  if (result.status === "failed") expectTypeOf(result.error).toEqualTypeOf<RunError>();
  if (result.status === "stopped") expectTypeOf(result.stop).toEqualTypeOf<StopSignal>();
  if (result.status === "waiting") expectTypeOf(result.waiting).toEqualTypeOf<readonly OpenQuestion[]>();
  if (result.status === "completed") expectTypeOf(result.waiting).toEqualTypeOf<undefined>();
  // What all have, and what some have, can be read without a look at the status.
  const { text, stop, error } = result;
  expectTypeOf(text).toEqualTypeOf<string>();
  expectTypeOf(stop).toEqualTypeOf<StopSignal | undefined>();
  expectTypeOf(error).toEqualTypeOf<RunError | undefined>();
});

test("an approval is a boolean, at once or later", () => {
  agent.run("go", { approve: () => true });
  agent.run("go", { approve: async () => ({ approved: false, reason: "no" }) });
  createAgent({ provider, execution: { approval: { approve: () => false } } });
  // @ts-expect-error a text approves nothing
  agent.run("go", { approve: () => "yes" });
});

test("a model is given by its provider", () => {
  // @ts-expect-error write `provider: openai({ model: "gpt-5.5" })`
  createAgent({ provider, model: "gpt-5.5" });
  expectTypeOf(createAgent({ ...scriptedDriver([]) })).toEqualTypeOf<Agent>();
});
