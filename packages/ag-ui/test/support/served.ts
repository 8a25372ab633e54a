import { createServer } from "node:http";
import { HttpAgent, type RunAgentInput, type Tool } from "@ag-ui/client";
import { createAgent, defineTool } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { nodeListener } from "@cogency/server/node";
import { type Key, memoryStore, type Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { listen } from "@tooling/loopback";
import { onTestFinished } from "vitest";
import { type AgUiEvent, type AgUiOptions, createAgUiHandler } from "../../src/index.ts";

export const keyRing = createKeyRing(["a secret of this server, at least 32 bytes"]);
export const hers: Key = { conversation: "thread", user: "ada" };

/** Whoever the header says; this is no server for strangers. */
const authenticate: AgUiOptions["authenticate"] = ({ headers }) => ({
  id: headers.get("x-user") ?? "ada",
  scopes: headers.get("x-scopes")?.split(" ") ?? [],
});

/** A handler for an agent that plays these steps, with a tool that asks before it writes and one that asks for a colour. */
export function site(steps: ScriptedStep[] = [], options: Partial<AgUiOptions> = {}, store: Store = memoryStore()) {
  const written: unknown[] = [];
  const write = defineTool({
    name: "write",
    description: "Writes.",
    input: { type: "object", properties: { line: { type: "string" } } },
    approval: "ask",
    execute: ({ line }) => {
      written.push(line);
      return `wrote ${line}`;
    },
  });
  const add = defineTool({
    name: "sum",
    description: "Adds.",
    input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
    execute: ({ a = 0, b = 0 }) => a + b,
  });
  const paint = defineTool({
    name: "paint",
    description: "Paints.",
    input: { type: "object", properties: {} },
    asks: true,
    execute: async (_, { ask }) => {
      const { colour } = await ask({
        message: "Which colour?",
        schema: { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] },
      });
      return `painted ${colour}`;
    },
  });
  const provider = scripted(steps, { capabilities: { attachments: ["image", "file"] } });
  const agent = createAgent({ provider, tools: [write, add, paint], store, keyRing });
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const handler = createAgUiHandler({ agent, store, authenticate, prefix: "/ag-ui", onError, ...options });
  const ask = (path: string, init?: RequestInit) => handler(new Request(`http://server.test/ag-ui${path}`, init));
  /** Posts an input as a client does. */
  const post = (input: unknown, headers: Record<string, string> = {}) =>
    ask("", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof input === "string" ? input : JSON.stringify(input),
    });
  const run = async (input: unknown, headers?: Record<string, string>) => eventsOf(await post(input, headers));
  const records = async (kind: string) =>
    (await store.load(hers)).flatMap((event) => (event.type === "record" && event.kind === kind ? [event.data] : []));
  return { agent, store, provider, handler, written, errors, ask, post, run, records };
}

/** The same on a port of this machine, with a client of AG-UI. */
export async function served(...given: Parameters<typeof site>) {
  const here = site(...given);
  const { url } = await listen(createServer(nodeListener(here.handler)), { onEnd: onTestFinished });
  const client = () => new HttpAgent({ url: `${url}/ag-ui`, threadId: "thread" });
  return { ...here, url: `${url}/ag-ui`, client };
}

/** What a client sends. */
export function inputOf(fields: Partial<RunAgentInput> & Record<string, unknown> = {}): Record<string, unknown> {
  return {
    threadId: "thread",
    runId: "run-1",
    messages: [],
    tools: [],
    context: [],
    forwardedProps: {},
    state: {},
    ...fields,
  };
}

export const user = (id: string, content: unknown) => ({ id, role: "user" as const, content: content as string });

export interface Frame {
  readonly id: number | undefined;
  readonly event: AgUiEvent;
}

/** The server-sent events of a response, to its end. */
export async function framesIn(response: Response): Promise<Frame[]> {
  const text = await response.text();
  return text.split("\n\n").flatMap((frame) => frameOf(frame) ?? []);
}

export async function eventsOf(response: Response): Promise<AgUiEvent[]> {
  return (await framesIn(response)).map(({ event }) => event);
}

/** A frame of a stream; undefined for a comment. */
export function frameOf(frame: string): Frame | undefined {
  const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
  const [, id] = /^id: (\d+)$/m.exec(frame) ?? [];
  return data === undefined ? undefined : { id: id === undefined ? undefined : Number(id), event: JSON.parse(data) };
}

/** Reads a stream frame by frame. */
export async function* framesAsTheyCome({ body }: Response): AsyncGenerator<Frame> {
  let buffer = "";
  for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    const frames = `${buffer}${chunk}`.split("\n\n");
    buffer = frames.pop() ?? "";
    for (const frame of frames) {
      const read = frameOf(frame);
      if (read) yield read;
    }
  }
}

export const ofType = <Type extends AgUiEvent["type"]>(events: readonly AgUiEvent[], type: Type) =>
  events.filter((event): event is Extract<AgUiEvent, { type: Type }> => event.type === type);

/** The text of all assistant messages of a run. */
export const textOf = (events: readonly AgUiEvent[]) =>
  ofType(events, "TEXT_MESSAGE_CONTENT")
    .map(({ delta }) => delta)
    .join("");

export const outcomeOf = (events: readonly AgUiEvent[]) => ofType(events, "RUN_FINISHED")[0]?.outcome;

export function interruptsOf(events: readonly AgUiEvent[]) {
  const outcome = outcomeOf(events);
  return outcome?.type === "interrupt" ? outcome.interrupts : [];
}

export const writeCall = '<execute>[{"name":"write","args":{"line":"hello"}}]</execute>';
export const paintCall = '<execute>[{"name":"paint","args":{}}]</execute>';
export const sumCall = '<execute>[{"name":"sum","args":{"a":1,"b":2}}]</execute>';
export const clientCall = '<execute>[{"name":"add","args":{"a":1,"b":2}}]</execute>';

/** A tool that the client brings. */
export const clientAdd: Tool = {
  name: "add",
  description: "Adds two numbers.",
  parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
};
