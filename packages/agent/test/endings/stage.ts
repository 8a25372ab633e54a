import type { LogEvent, RunEvent } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { createKeyRing, defineTool, StopRun, type Tool } from "@cogency/tools";
import type { StopReason } from "@cogency/tools/host";
import { type AgentOptions, createAgent, type Run, type RunOptions, type RunResult } from "../../src/index.ts";
import { broken, clocked, conversation, echo, types } from "../support/fixtures.ts";

export const keyRing = createKeyRing(["a ring that several machines have in common"]);

const input = { type: "object", properties: {} } as const;

/** Needs approval. */
const act = defineTool({ name: "act", description: "Acts.", input, approval: "ask", execute: () => "acted" });

const asking = defineTool({
  name: "asking",
  description: "Asks a person.",
  input,
  asks: true,
  execute: (_, { ask }) => ask({ message: "What now?" }),
});

/** Ends the run with the reason that it is given. */
const finish = defineTool({
  name: "finish",
  description: "Ends the run.",
  input: { type: "object", properties: { reason: { type: "string" } }, required: ["reason"] },
  execute: ({ reason }) => {
    throw new StopRun({ reason: reason as StopReason, message: "Enough.", context: {} });
  },
});

export const tools: readonly Tool[] = [echo, broken, act, asking, finish];

/** Where a run ends: its store, and what its listener heard. */
export interface Stage {
  readonly store: Store;
  readonly heard: RunEvent[];
  /** The store's clock. */
  readonly time: { now: number };
  /** A run that has not begun. Its store is the stage's, if the options name no other. */
  start(steps: readonly ScriptedStep[], options?: Partial<AgentOptions>, run?: RunOptions): Run;
}

/** What the page says of an ending, by its columns. */
export interface Said {
  status: string;
  reason: string;
  error: string;
  log: string;
  timeline: string;
  recover: string;
}

/** Lets a run end. Undefined if it has no result. */
export type Ends = (stage: Stage) => Promise<RunResult | undefined>;

/** How a run ends, in the words of the page. */
export async function endingOf(ends: Ends): Promise<{ said: Said; result: RunResult | undefined; heard: RunEvent[] }> {
  const { store, time } = clocked();
  const heard: RunEvent[] = [];
  const start: Stage["start"] = (steps, options, run) =>
    createAgent({ provider: scripted(steps), tools, store, keyRing, ...options }).run("go", {
      conversation,
      on: (event) => void heard.push(event),
      ...run,
    });
  const result = await ends({ store, heard, time, start });
  const log = await store.load({ conversation });
  const said: Said = {
    status: code(result?.status),
    reason: code(result?.stop?.reason),
    error: code(result?.error?.code),
    log: code(nameOf(log.at(-1))),
    timeline: heard.at(-1)?.type === "run_ended" ? code(...types(heard.slice(-2))) : "no `run_ended`",
    recover: await recovered(store, log.length, result),
  };
  return { said, result, heard };
}

const code = (...names: (string | undefined)[]) =>
  names
    .flatMap((name) => name ?? [])
    .map((name) => `\`${name}\``)
    .join(", ") || "–";

function nameOf(event: LogEvent | undefined): string | undefined {
  return event?.type === "record" ? `record ${event.kind}` : event?.type;
}

/** What `recover` does by an agent that has no limits, hooks or person of its own. */
async function recovered(store: Store, stored: number, before: RunResult | undefined): Promise<string> {
  const ran: string[] = [];
  const counted = tools.map((tool): Tool => {
    const execute: Tool["execute"] = (...given) => {
      ran.push(tool.name);
      return tool.execute(...given);
    };
    return { ...tool, execute };
  });
  const provider = scripted(["Once more.<end>"]);
  const agent = createAgent({ provider, tools: counted, store, keyRing });
  const { status, stop, error } = await agent.recover({ conversation }).result;
  if (error) return `fails with \`${error.code}\``;
  if (status === "waiting") return "puts the question again";
  if (provider.requests.length > 0) return "asks the model";
  const isSame = status === before?.status && stop?.reason === before.stop?.reason;
  const isQuiet = ran.length === 0 && (await store.load({ conversation })).length === stored;
  return isSame && isQuiet ? "gives the same again" : `ends as ${status}`;
}
