import { type Agent, createAgent, defineTool } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { type AcpOpening, type AcpOptions, type AcpSession, createAcp } from "../../src/index.ts";

const keyRing = createKeyRing(["a secret of this machine, at least 32 bytes"]);

export interface SiteOptions {
  store?: Store;
  /** What a call of `wait` waits for. */
  gate?: Promise<unknown>;
  session?: Partial<AcpSession>;
  acp?: Partial<AcpOptions>;
  agent?: Partial<Parameters<typeof createAgent>[0]>;
}

/** An agent that plays these steps, as editors get it: with a tool that asks before it writes, one that asks for a colour, and one that waits. */
export function site(
  steps: ScriptedStep[] = [],
  { store = memoryStore(), gate, session, acp, ...more }: SiteOptions = {},
) {
  const written: unknown[] = [];
  const openings: AcpOpening[] = [];
  const closed: string[] = [];
  const errors: unknown[] = [];
  const provider = scripted(steps, { capabilities: { attachments: ["image", "file"] } });
  const agent: Agent = createAgent({ provider, tools: toolsOf(written, gate), store, keyRing, ...more.agent }) as Agent;
  const made = createAcp({
    info: { name: "test", title: "Test", version: "1.0.0" },
    store,
    open: async (opening) => {
      openings.push(opening);
      return { agent: async () => agent, close: async () => void closed.push(opening.session), ...session };
    },
    onError: (error) => void errors.push(error),
    ...acp,
  });
  const log = (conversation: string) => store.load({ conversation });
  return { acp: made, agent, store, provider, written, openings, closed, errors, log };
}

function toolsOf(written: unknown[], gate: Promise<unknown> = Promise.resolve()) {
  return [
    defineTool({
      name: "write",
      description: "Writes.",
      input: { type: "object", properties: { file: { type: "string" }, content: { type: "string" } } },
      approval: "ask",
      execute: (args) => {
        written.push(args);
        return `wrote ${args.file}`;
      },
    }),
    defineTool({
      name: "sum",
      description: "Adds.",
      input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
      execute: ({ a = 0, b = 0 }) => a + b,
    }),
    defineTool({
      name: "paint",
      description: "Paints.",
      input: { type: "object", properties: {} },
      asks: true,
      execute: async (_, { ask }) => {
        const { colour } = await ask({ message: "Which colour?", schema: colours });
        return `painted ${colour}`;
      },
    }),
    defineTool({
      name: "wait",
      description: "Waits.",
      input: { type: "object", properties: {} },
      execute: async (_, { progress }) => {
        progress({ stream: "stdout", text: "waiting\n" });
        await gate;
        return "waited";
      },
    }),
  ];
}

const colours = {
  type: "object",
  properties: { colour: { type: "string", enum: ["red", "green"] } },
  required: ["colour"],
} as const;

export const callOf = (name: string, args: object = {}) => `<execute>[${JSON.stringify({ name, args })}]</execute>`;
export const writeCall = callOf("write", { file: "a.txt", content: "hello" });
