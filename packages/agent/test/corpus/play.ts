import { createHash } from "node:crypto";
import type { LogEvent } from "@cogency/protocol";
import { type ModelRequest, type ScriptedProvider, scripted } from "@cogency/provider";
import { memoryStore, type Store, StoreError } from "@cogency/storage";
import { canonicalJson, type KeyRing, type ToolEvent } from "@cogency/tools";
import { createAgent } from "../../src/index.ts";
import { withoutRandomIds } from "./ids.ts";
import type { Case, Scene, Stage, Turn } from "./scene.ts";
import { HangError, inStillTime } from "./still-time.ts";

/** What is done to a run. */
export type Variation =
  | { kind: "base" }
  /** The signal aborts when the consumer has received this many events; `deadline`: with a TimeoutError. */
  | { kind: "abort" | "deadline"; at: number }
  /** The signal aborts when the trace has this many lines, which is in the middle of a batch. */
  | { kind: "halt"; at: number }
  /** The consumer leaves the loop when it has received this many events. */
  | { kind: "leave"; at: number }
  /**
   * The append that holds the event with this sequence number fails once, for a reason that does not pass: `refuse` before
   * it is stored, `doubt` after. `lost`: after, for a reason that passes, so that the append is repeated. `dead`: before,
   * and all later ones, too.
   */
  | { kind: "refuse" | "doubt" | "lost" | "dead"; at: number }
  /** The process dies before it stores the event with this sequence number; another one recovers the conversation. */
  | { kind: "kill"; at: number };

/** A replay as lists of lines. */
export interface Recording {
  /** The log without sequence numbers, an event a line. */
  log: string[];
  /** The events that consumers received, an event a line, and a line for the beginning and the end of each run. */
  events: string[];
  /** The requests that the model got: the messages that the request before did not begin with. */
  requests: string[];
  /** What tools, observers and questions saw, in order. */
  trace: string[];
  /** The operations of the store. */
  operations: string[];
}

export interface Played {
  recording: Recording;
  /** The append that failed: the sequence numbers of its first and last event. */
  failed: { from: number; to: number } | undefined;
}

const conversation = "c";

/** @param before the log of the base run, for `kill` */
export async function play(
  { scene: open }: Case,
  variation: Variation,
  before: readonly string[] = [],
): Promise<Played> {
  const trace: string[] = [];
  let controller = new AbortController();
  const stage: Stage = {
    note(line) {
      trace.push(line);
      if (variation.kind === "halt" && trace.length === variation.at) controller.abort();
    },
    abort: (reason) => controller.abort(reason),
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
  const scene = variation.kind === "kill" ? recovering(open(stage)) : open(stage);
  const model = scripted(scene.script, scene.scripted);
  const provider = scene.provider?.(model, scene.script) ?? model;
  const requests = "requests" in provider ? (provider as ScriptedProvider).requests : model.requests;
  const inner = memoryStore({ clock: () => Date.now() });
  const { store, operations, failure } = watched(scene.store?.(inner) ?? inner, variation);
  const lines: string[] = [];
  let received = 0;

  const playTurn = async (turn: Turn) => {
    controller = new AbortController();
    if (turn.isAborted) controller.abort();
    const options = { ...scene.options, ...turn.options };
    const agent = createAgent({
      clock: () => Date.now() / 1000,
      keyRing: plainRing,
      warn: (message) => stage.note(`warning: ${message}`),
      ...options,
      execution: { ...options.execution, observer: observing(stage, options.execution?.observer) },
      provider,
      store,
    });
    const view = { stream: "token" as const, ...turn.run, conversation, signal: controller.signal };
    const run = turn.prompt === undefined ? agent.recover(view) : agent.run(turn.prompt, view);
    lines.push(turn.prompt === undefined ? "recover" : "run");
    let thrown: unknown;
    try {
      for await (const event of run) {
        lines.push(JSON.stringify(event));
        received++;
        if (received === ("at" in variation ? variation.at : 0)) {
          if (variation.kind === "abort") controller.abort();
          if (variation.kind === "deadline") controller.abort(timeout());
          if (variation.kind === "leave") break;
        }
        if (scene.pace !== undefined) await stage.pause(scene.pace);
      }
    } catch (error) {
      thrown = error;
    }
    const { error, ...result } = await run.result;
    lines.push(JSON.stringify({ ...result, ...(error && { error: errorText(error) }) }));
    if (thrown !== error) lines.push(`thrown instead: ${errorText(thrown)}`);
  };

  try {
    await inStillTime(async () => {
      const logged = variation.kind === "kill" ? before.slice(0, variation.at - 1) : undefined;
      const stored = logged?.map((line): LogEvent => JSON.parse(line)) ?? scene.stored ?? [];
      if (stored.length > 0) await inner.append({ conversation }, stored);
      await scene.prepare?.(inner);
      for (const turn of scene.turns ?? [{ prompt: "go" }]) await playTurn(turn);
      // Work that a run has left behind, such as a tool that did not stop, may still come to an end.
      await stage.pause(1000);
    });
  } catch (error) {
    if (!(error instanceof HangError)) throw error;
    lines.push(`the run hangs: ${error.message}`);
  }
  const log = await inner.load({ conversation });
  const recording: Recording = {
    log: log.map(({ seq: _, ...event }) => JSON.stringify(event)),
    events: lines,
    requests: requestLines(requests),
    trace,
    operations,
  };
  return { recording: withoutRandomIds(recording), failed: failure.failed };
}

const farewell = Array(5).fill("Going on.<end>");

/** The scene in which another process continues: the model has little left to say. */
function recovering(scene: Scene): Scene {
  const { stored: _, prepare: __, ...rest } = scene;
  const { run: { untrusted: ___, ...run } = {}, options = {} } = scene.turns?.at(-1) ?? {};
  const turns: Turn[] = [{ run, options }];
  return { ...rest, turns, script: farewell };
}

function timeout(): DOMException {
  return new DOMException("The operation was aborted due to timeout", "TimeoutError");
}

/** A store whose operations are noted, and whose appends fail as the variation says. */
function watched(inner: Store, variation: Variation) {
  const operations: string[] = [];
  const failure: Pick<Played, "failed"> = { failed: undefined };
  let stored = 0;
  const store: Store = {
    ...inner,
    async load(key, options) {
      const events = await inner.load(key, options);
      operations.push(`load${options?.after === undefined ? "" : " tail"}`);
      stored = Math.max(stored, events.at(-1)?.seq ?? 0);
      return events;
    },
    async append(key, events, options) {
      const append = { from: stored + 1, to: stored + events.length };
      operations.push(`append ${events.map(kindOf).join(" ")}`);
      const keep = async () => {
        stored = await inner.append(key, events, options);
        return stored;
      };
      const fails = "at" in variation && append.to >= variation.at && failure.failed === undefined;
      switch (variation.kind) {
        case "refuse":
        case "dead":
          if (!fails && (variation.kind === "refuse" || failure.failed === undefined)) return keep();
          failure.failed ??= append;
          throw new StoreError("full", "There is no room left.");
        case "doubt":
        case "lost":
          if (!fails) return keep();
          failure.failed = append;
          await keep();
          if (variation.kind === "lost") throw new StoreError("unavailable", "The answer was lost.");
          throw new StoreError("full", "There is no room left.");
        default:
          return keep();
      }
    },
    async lease(key, options) {
      operations.push("lease");
      const lease = await inner.lease(key, options);
      const release = lease.release.bind(lease);
      return Object.assign(Object.create(lease) as typeof lease, {
        release() {
          operations.push("release");
          return release();
        },
      });
    },
  };
  return { store, operations, failure };
}

function kindOf(event: LogEvent): string {
  return event.type === "record" ? event.kind : event.type;
}

function observing(stage: Stage, observer: ((event: ToolEvent) => void) | undefined) {
  return (event: ToolEvent) => {
    stage.note(toolLine(event));
    observer?.(event);
  };
}

function toolLine(event: ToolEvent): string {
  switch (event.type) {
    case "started":
      return `started ${event.call.id} ${event.call.name} ${JSON.stringify(event.call.args)}`;
    case "progress":
      return `progress ${event.call.id} ${JSON.stringify(event.update)}`;
    case "completed":
      return `completed ${event.execution.id} ${event.execution.outcome}`;
    default:
      return `${event.type} ${event.error.message}`;
  }
}

function requestLines(requests: readonly ModelRequest[]): string[] {
  let earlier: string[] = [];
  return requests.map(({ system, messages, ...settings }) => {
    const texts = messages.map((message) => JSON.stringify(message));
    const shared = texts.findIndex((text, index) => text !== earlier[index]);
    const same = shared === -1 ? texts.length : shared;
    const line = `system ${hashOf(system)} ${JSON.stringify(settings)}, ${same} of ${earlier.length} messages again, then ${texts.slice(same).join(" ")}`;
    earlier = texts;
    return line;
  });
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** The error, its causes, and the members of an AggregateError. */
function errorText(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return String(error);
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  const parts = [`${error.name}${code}: ${error.message}`];
  if (error instanceof AggregateError)
    parts.push(`[${error.errors.map((one) => errorText(one, depth + 1)).join("; ")}]`);
  if ("text" in error && error.text !== undefined) parts.push(`text ${JSON.stringify(error.text)}`);
  if (error.cause !== undefined) parts.push(`caused by ${errorText(error.cause, depth + 1)}`);
  return parts.join(" ");
}

/** A proof is the statement itself, so that a recording shows what was signed. */
const plainRing: KeyRing = {
  sign: async (statement) => ({ key: "plain", mac: canonicalJson(statement) }),
  verify: async (statement, proof) => proof?.key === "plain" && proof.mac === canonicalJson(statement),
};
