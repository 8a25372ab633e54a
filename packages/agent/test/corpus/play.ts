import { createHash } from "node:crypto";
import type { AgentEvent, LogEvent, RunEvent } from "@cogency/protocol";
import { createSettler, isPersisted } from "@cogency/protocol/host";
import { type ModelRequest, type ScriptedProvider, scripted } from "@cogency/provider";
import { memoryStore, type Store, type StoredEvent, StoreError } from "@cogency/storage";
import type { KeyRing } from "@cogency/tools";
import { canonicalJson } from "@cogency/tools/host";
import { createAgent, type RunResult } from "../../src/index.ts";
import { withoutRandomIds } from "./ids.ts";
import { partsFaults } from "./parts-law.ts";
import type { Case, Scene, SceneOptions, Stage, Turn } from "./scene.ts";
import { HangError, inStillTime, timersSet } from "./still-time.ts";

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
  evidence: Evidence;
}

/** What a replay did, for the laws, which need more than its lines; see `laws.ts`. */
interface Evidence {
  turns: PlayedTurn[];
  /** The log at the end, with its sequence numbers. */
  log: StoredEvent[];
  /** The bodies of tools that began, in order, also those of `recovered`. */
  bodies: Body[];
  /** How many events the log had when the variation began; undefined for variations of the store, and if it did not come. */
  variedAt: number | undefined;
  /** Operations of the store that began before the one before them had ended. */
  overlaps: string[];
  /** Promises whose rejection nobody handled. */
  unhandled: string[];
  /** Timers that were still set one second after the last run, without those of tools that did not stop. */
  timersLeft: number;
  /** Owners of a lease that was granted and not given back. */
  leasesLeft: number;
  /** The log after another process has recovered the conversation, or the error that it had; undefined for an empty log. */
  recovered: { log: StoredEvent[]; asked: number; result: RunResult; thrown: unknown } | undefined;
}

export interface PlayedTurn {
  /** How many events the log had before the turn and after it. */
  from: number;
  to: number;
  result: RunResult;
  thrown: unknown;
  hasLeft: boolean;
  /** Whether the consumer left after the run had ended: at the events that say so. */
  hasEnded: boolean;
  /** Whether the store had not answered when the turn ended. */
  isHung: boolean;
  /** What the turn gave too early or too late, a sentence each. */
  faults: string[];
  /** Where a screen that watched the turn differs from one that read its log. */
  screens: string[];
  /** The timers that were set at its end, without those of the scene and of tools. */
  timers: number;
}

/** A body of a tool that began. */
interface Body {
  id: string;
  name: string;
  /** Whether the log held the `started` record of the call. */
  isLogged: boolean;
  /** Whether the call may be repeated. */
  isRepeatable: boolean;
  /** Whether it began before its block was complete. */
  isEarly: boolean;
}

const conversation = "c";

/** @param base the log of the base run, for `kill` */
export async function play({ scene: open }: Case, variation: Variation, base: readonly string[] = []): Promise<Played> {
  const trace: string[] = [];
  let controller = new AbortController();
  const stage: Stage = {
    note(line) {
      trace.push(line);
      if (variation.kind !== "halt" || trace.length !== variation.at) return;
      variedAt = watch.length();
      controller.abort();
    },
    abort: (reason) => controller.abort(reason),
    async pause(milliseconds) {
      pauses++;
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      pauses--;
    },
  };
  let pauses = 0;
  const scene = variation.kind === "kill" ? recovering(open(stage)) : open(stage);
  const model = scripted(scene.script, scene.scripted);
  const provider = scene.provider?.(model, scene.script) ?? model;
  const requests = "requests" in provider ? (provider as ScriptedProvider).requests : model.requests;
  const inner = memoryStore({ clock: () => Date.now() });
  const watch = watched(scene.store?.(inner) ?? inner, variation);
  const { store, operations, failure } = watch;
  const lines: string[] = [];
  const turns: PlayedTurn[] = [];
  const bodies: Body[] = [];
  let variedAt: number | undefined;
  let received = 0;

  const playTurn = async (turn: Turn) => {
    controller = new AbortController();
    if (turn.isAborted) controller.abort();
    const options = { ...scene.options, ...turn.options };
    const agent = createAgent({
      ...usual(stage),
      ...options,
      provider,
      store,
    });
    const hear = listening(stage, options, bodies, watch.started);
    const heard: RunEvent[] = [];
    const on = (event: RunEvent) => {
      heard.push(event);
      hear(event);
    };
    const view = { stream: "token" as const, ...turn.run, conversation, signal: controller.signal, on };
    const run = turn.prompt === undefined ? agent.recover(view) : agent.run(turn.prompt, view);
    lines.push(turn.prompt === undefined ? "recover" : "run");
    const before = await inner.load({ conversation });
    const from = before.length;
    const check = givenCheck(watch.stored);
    const sceneTimers = timersSet() - pauses;
    const iterator = run[Symbol.asyncIterator]();
    let thrown: unknown;
    let hasLeft = false;
    let hasEnded = false;
    try {
      for (;;) {
        const next = await iterator.next();
        if (next.done) break;
        check.write(next.value);
        lines.push(JSON.stringify(next.value));
        received++;
        if (received === ("at" in variation ? variation.at : 0)) {
          if (["abort", "deadline", "leave"].includes(variation.kind)) variedAt = watch.length();
          if (variation.kind === "abort") controller.abort();
          if (variation.kind === "deadline") controller.abort(timeout());
          if (variation.kind === "leave") {
            hasLeft = true;
            hasEnded = endingTypes.has(next.value.type) || isRunRecord((await inner.load({ conversation })).at(-1));
            await iterator.return?.();
            break;
          }
        }
        if (scene.pace !== undefined) await stage.pause(scene.pace);
      }
    } catch (error) {
      thrown = error;
    }
    const result = await run.result;
    const after = await inner.load({ conversation });
    const to = after.length;
    // A store that failed lost the text that had not settled.
    if (!result.error || !(failure.failed || ["store", "not_stored"].includes(result.error.code))) check.end();
    const { faults } = check;
    const timers = timersSet() - pauses - sceneTimers;
    if (!(await iterator.next()).done) faults.push("The run gave an event after its end.");
    const isHung = watch.isAsked();
    const screens = partsFaults(before, heard, after);
    turns.push({ from, to, result, thrown, hasLeft, hasEnded, isHung, faults, screens, timers });
    // A law says what `unknown` has to be.
    const { error, questionErrors, unknown: _, ...rest } = result;
    const thrownByHost = questionErrors?.map((one) => ({ ...one, error: errorText(one.error) }));
    lines.push(
      JSON.stringify({
        ...rest,
        ...(error && { error: errorText(error) }),
        ...(thrownByHost && { questionErrors: thrownByHost }),
      }),
    );
    if (thrown !== error) lines.push(`thrown instead: ${errorText(thrown)}`);
  };

  const unhandled: string[] = [];
  const unhandle = (reason: unknown) => void unhandled.push(errorText(reason));
  process.on("unhandledRejection", unhandle);
  let timersLeft = 0;
  let recovered: Evidence["recovered"];
  let recording: Recording;
  let log: StoredEvent[];
  try {
    const logged = variation.kind === "kill" ? base.slice(0, variation.at - 1) : undefined;
    const stored = logged?.map((line): LogEvent => JSON.parse(line)) ?? scene.stored ?? [];
    await inStillTime(async () => {
      if (stored.length > 0) await inner.append({ conversation }, stored);
      await scene.prepare?.(inner);
      // Of leases that others hold.
      const ofOthers = timersSet() - pauses;
      for (const turn of scene.turns ?? [{ prompt: "go" }]) await playTurn(turn);
      // Work that a run has left behind, such as a tool that did not stop, may still come to an end.
      await stage.pause(1000);
      timersLeft = timersSet() - pauses - ofOthers;
    }).catch((error: unknown) => {
      if (!(error instanceof HangError)) throw error;
      lines.push(`the run hangs: ${error.message}`);
    });
    log = await inner.load({ conversation });
    recording = withoutRandomIds({
      log: log.map(({ seq: _, ...event }) => JSON.stringify(event)),
      events: [...lines],
      requests: requestLines(requests),
      trace: [...trace],
      operations: [...operations],
    });
    if (log.length > 0) recovered = await recover(open, inner, bodies);
  } finally {
    process.off("unhandledRejection", unhandle);
  }
  const leasesLeft = watch.leases();
  const evidence = {
    turns,
    log,
    bodies,
    variedAt,
    overlaps: watch.overlaps,
    unhandled,
    timersLeft,
    leasesLeft,
    recovered,
  };
  return { recording, failed: failure.failed, evidence };
}

const endingTypes: ReadonlySet<string> = new Set<AgentEvent["type"]>(["interrupt", "cancelled"]);

function isRunRecord(event: LogEvent | undefined): boolean {
  return event?.type === "record" && event.kind === "run";
}

/** Another process recovers the conversation; it cancels its run after so long that every tool could have ended. */
async function recover(open: Case["scene"], store: Store, bodies: Body[]): Promise<Evidence["recovered"]> {
  const controller = new AbortController();
  const stage: Stage = {
    note: () => {},
    abort: (reason) => controller.abort(reason),
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
  const { script, turns = [] } = recovering(open(stage));
  const [{ run: view = {}, options = {} } = {}] = turns;
  const provider = scripted(script);
  const started = startedIn(await store.load({ conversation }));
  const journal: Store = {
    ...store,
    async append(key, events, given) {
      const last = await store.append(key, events, given);
      for (const id of startedIn(events)) started.add(id);
      return last;
    },
  };
  const on = listening(stage, options, bodies, started);
  let recovered: Evidence["recovered"];
  await inStillTime(async () => {
    const agent = createAgent({ ...usual(stage), ...options, provider, store: journal });
    setTimeout(() => controller.abort(), 200_000);
    const run = agent.recover({ ...view, conversation, signal: controller.signal, on });
    let thrown: unknown;
    try {
      for await (const _ of run);
    } catch (error) {
      thrown = error;
    }
    const result = await run.result;
    const asked = provider.requests.length;
    // A deadline leaves calls open; the next prompt closes them.
    if (result.stop?.reason === "time_limit") await agent.run("more", { ...view, conversation }).result;
    recovered = { log: await store.load({ conversation }), asked, result, thrown };
  });
  return recovered;
}

function usual(stage: Stage) {
  return {
    clock: () => Date.now() / 1000,
    keyRing: plainRing,
    warn: (message: string) => stage.note(`warning: ${message}`),
  };
}

/** Checks that a consumer sees no settled event that is not stored, and in the order of the log. */
function givenCheck(stored: readonly LogEvent[]) {
  const faults: string[] = [];
  const settler = createSettler();
  let next = stored.length;
  const find = (what: string, isIt: (event: LogEvent) => boolean) => {
    const index = stored.findIndex((event, at) => at >= next && isIt(event));
    if (index === -1) faults.push(`Given before it was stored, or in another order: ${what}`);
    else next = index + 1;
  };
  const see = (event: AgentEvent) => {
    const text = JSON.stringify(event);
    if (isPersisted(event.type)) find(text, (one) => JSON.stringify(one) === text);
    if (event.type !== "metric") return;
    const step = JSON.stringify(event.step);
    find(text, (one) => one.type === "record" && one.kind === "usage" && JSON.stringify(one.data) === step);
  };
  return {
    faults,
    write: (event: AgentEvent) => settler.write(event).forEach(see),
    end: () => settler.end().forEach(see),
  };
}

function startedIn(events: readonly LogEvent[]): Set<string> {
  return new Set(
    events.flatMap((event) => (event.type === "record" && event.kind === "started" ? [event.data.id] : [])),
  );
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
  const kept: LogEvent[] = [];
  const started = new Set<string>();
  const batches = new Set<string>();
  const overlaps: string[] = [];
  const pending = new Map<object, { since: number; what: string }>();
  /** A store is asked one thing at a time. One that has not answered for 250 ms is given up after an abort. */
  const alone = <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const other = [...pending.values()].find(({ since }) => Date.now() - since < 250);
    if (other) overlaps.push(`${what} was asked for during ${other.what}`);
    const id = {};
    pending.set(id, { since: Date.now(), what });
    const done = work();
    const end = () => void pending.delete(id);
    done.then(end, end);
    // As it is: another promise would settle later.
    return done;
  };
  let stored = 0;
  /** The owners of leases that were not given back. */
  const leases = new Set<string>();
  const store: Store = {
    ...inner,
    async load(key, options) {
      const events = await alone("a load", () => inner.load(key, options));
      operations.push(`load${options?.after === undefined ? "" : " tail"}`);
      stored = Math.max(stored, events.at(-1)?.seq ?? 0);
      for (const id of startedIn(events)) started.add(id);
      return events;
    },
    async append(key, events, options) {
      const append = { from: stored + 1, to: stored + events.length };
      operations.push(`append ${events.map(kindOf).join(" ")}`);
      const keep = async () => {
        const last = await alone("an append", () => inner.append(key, events, options));
        stored = last;
        // A repeated append is stored once.
        const batch = options?.batch ?? crypto.randomUUID();
        if (!batches.has(batch)) kept.push(...events);
        batches.add(batch);
        for (const id of startedIn(events)) started.add(id);
        return last;
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
      leases.add(options.owner);
      const release = lease.release.bind(lease);
      return {
        owner: lease.owner,
        token: lease.token,
        ttl: lease.ttl,
        get expiresAt() {
          return lease.expiresAt;
        },
        get lost() {
          return lease.lost;
        },
        renew: (ttl?: number) => lease.renew(ttl),
        release() {
          leases.delete(options.owner);
          operations.push("release");
          return release();
        },
      };
    },
  };
  return {
    store,
    operations,
    failure,
    stored: kept,
    started,
    length: () => stored,
    overlaps,
    isAsked: () => pending.size > 0,
    leases: () => leases.size,
  };
}

function kindOf(event: LogEvent): string {
  return event.type === "record" ? event.kind : event.type;
}

/** @param started the ids of the calls that have a `started` record */
function listening(
  stage: Stage,
  { tools = [], execution }: SceneOptions,
  bodies: Body[],
  started: ReadonlySet<string>,
) {
  return (event: RunEvent) => {
    if (event.type === "tool_started") {
      const { id, name } = event;
      const { idempotentHint, readOnlyHint } = tools.find((tool) => tool.name === name)?.annotations ?? {};
      // The search is no tool of the scene.
      const isRepeatable = idempotentHint === true || readOnlyHint === true || name === "find_tools";
      bodies.push({ id, name, isLogged: started.has(id), isRepeatable, isEarly: execution?.earlyStart === true });
    }
    const line = toolLine(event);
    if (line !== undefined) stage.note(line);
  };
}

function toolLine(event: RunEvent): string | undefined {
  switch (event.type) {
    case "tool_started":
      return `started ${event.id} ${event.name} ${JSON.stringify(event.args)}`;
    case "tool_progress":
      return `progress ${event.id} ${JSON.stringify(event.update)}`;
    case "tool_ended":
      return `completed ${event.id} ${event.outcome}`;
    case "hook_violation":
      return `${event.type} ${event.message}`;
    default:
      return undefined;
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
