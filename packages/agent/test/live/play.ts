import { setTimeout as sleep } from "node:timers/promises";
import { partsOf } from "@cogency/protocol/parts";
import type { ModelEvent, Provider } from "@cogency/provider";
import { memoryStore, type Store, type StoredEvent } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import * as z from "zod";
import type { Driver } from "../../src/driver.ts";
import { createAgent, protocolDriver } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { openScreen, type Screen } from "./screen.ts";

/** What a model writes in one step. */
export interface Step {
  /** Thoughts and texts, in turn. */
  units: { isThought: boolean; text: string }[];
  calls: { text: string; updates: number }[];
  /** The answer breaks off after so many of its events. */
  breaksAfter?: number | undefined;
}

export interface Play {
  driver: "json" | "xml" | "native";
  steps: Step[];
  /** How many characters come at once, in turn. */
  chunks: number[];
  /** Milliseconds between two events, in turn; -1 for none. Of the model, the store, the tools and the screens. */
  pauses: number[];
  /** After how many events of the model a screen is opened. */
  joins: number[];
  /** After how many events of the model the run is cancelled. */
  cancelsAfter?: number | undefined;
  earlyStart: boolean;
}

export interface Played {
  log: StoredEvent[];
  screens: Screen[];
  /** The arguments of the calls, in their order. */
  args: string[];
}

const key = { conversation: "c" };

/** Runs the play while screens come and follow it. */
export async function played({
  driver,
  steps,
  chunks,
  pauses,
  joins,
  cancelsAfter,
  earlyStart,
}: Play): Promise<Played> {
  let turn = 0;
  const pause = async () => {
    const milliseconds = pauses[turn++ % pauses.length] ?? -1;
    if (milliseconds >= 0) await sleep(milliseconds);
  };
  const { store, settled } = slowStore(memoryStore(), pause);
  const screens: Screen[] = [];
  const cancelling = new AbortController();
  let sent = 0;
  let isOver = false;
  const join = () => {
    screens.push(openScreen(store, key, pause));
  };
  const provider: Provider = {
    name: "played",
    model: "m",
    capabilities: { tools: true, session: false, reasoning: true, format: false },
    async *stream({ messages }) {
      const step = steps[Math.min((messages.length - 1) / 2, steps.length - 1)] ?? { units: [], calls: [] };
      const events = eventsOf(step, driver, chunks, step === steps.at(-1));
      for (const [index, event] of events.entries()) {
        if (index === step.breaksAfter) throw new Error("The line broke.");
        await pause();
        // A run that was cancelled does not wait for its model, which may wake up when nobody waits for its screens.
        if (isOver) return;
        for (const after of joins) if (after === sent) join();
        if (sent++ === cancelsAfter) cancelling.abort();
        yield event;
      }
    },
  };
  const say = defineTool({
    name: "say",
    description: "Say something.",
    input: z.object({ text: z.string(), updates: z.number() }),
    annotations: { readOnlyHint: true },
    async *execute({ text, updates }) {
      for (let update = 1; update <= updates; update++) {
        yield { update };
        await pause();
      }
      return text;
    },
  });
  const drivers: Record<Play["driver"], () => Driver> = {
    json: () => protocolDriver(),
    xml: () => protocolDriver({ dialect: "xml" }),
    native: () => nativeDriver(),
  };
  const agent = createAgent({
    provider,
    tools: [say],
    store,
    driver: drivers[driver](),
    execution: { earlyStart },
    budget: { repeats: 100, failures: 2 },
    warn: () => {},
  });
  await agent.run("go", { ...key, signal: cancelling.signal }).result;
  isOver = true;
  join();
  // A run that was cancelled does not wait for long.
  await settled();
  const log = await store.load(key);
  await Promise.all(screens.map((screen) => screen.caughtUp(log.length)));
  await Promise.all(screens.map((screen) => screen.close()));
  return { log, screens, args: steps.flatMap(({ calls }) => calls.map((args) => JSON.stringify(args))) };
}

/** What is wrong with what the screens have shown; empty if nothing is. */
export function problemsOf({ log, screens, args }: Played): string[] {
  const units = log.flatMap((event) =>
    event.type === "think" || event.type === "respond"
      ? [{ type: event.type === "think" ? "thinking" : "text", content: event.content }]
      : [],
  );
  const ids = log.flatMap((event) => (event.type === "call" ? [event.id] : []));
  const problems: string[] = [];
  for (const [nth, { shown }] of screens.entries()) {
    const say = (what: string, of: unknown) => problems.push(`screen ${nth}: ${what}: ${JSON.stringify(of)}`);
    for (const parts of shown) {
      const texts = parts.filter((part) => part.type === "text" || part.type === "thinking");
      for (const [at, { type, content, open }] of texts.entries()) {
        const unit = units[at];
        const isRight = open ? unit?.content.startsWith(content) : unit?.content === content;
        if (!isRight || unit?.type !== type) say(`unit ${at} is not that of the log, ${JSON.stringify(unit)}`, texts);
        if (open && at < texts.length - 1) say("text stands behind what is open", texts);
      }
      const calls = parts.filter((part) => part.type === "call");
      if (new Set(calls.map(({ id }) => id)).size < calls.length) say("a call stands there twice", calls);
      for (const { id, text } of calls) {
        const written = args[ids.indexOf(id)];
        const isStored = text !== undefined && ids.includes(id);
        if (isStored && written && !written.startsWith(text.trim()) && text.startsWith("{"))
          say("other arguments", text);
      }
    }
    const last = shown.at(-1);
    if (JSON.stringify(last) !== JSON.stringify(partsOf(log))) say("ends as another one than the log", last);
  }
  return problems;
}

function eventsOf({ units, calls }: Step, driver: Play["driver"], chunks: number[], isLast: boolean): ModelEvent[] {
  let turn = 0;
  const cut = (text: string): string[] => {
    const pieces: string[] = [];
    for (let rest = text; rest !== ""; ) {
      const size = Math.max(1, chunks[turn++ % chunks.length] ?? 1);
      pieces.push(rest.slice(0, size));
      rest = rest.slice(size);
    }
    return pieces;
  };
  const finish: ModelEvent = { type: "finish", reason: "stop" };
  if (driver === "native") {
    const texts = units.flatMap(({ isThought, text }) =>
      cut(text).map((piece): ModelEvent => ({ type: isThought ? "reasoning" : "text", text: piece })),
    );
    const called = calls.flatMap((args, index): ModelEvent[] => {
      const [id, whole] = [`native_${index}`, JSON.stringify(args)];
      const deltas = cut(whole).map((piece): ModelEvent => {
        return { type: "tool_call_delta", index, id, name: "say", arguments: piece };
      });
      return [...deltas, { type: "tool_call", id, name: "say", arguments: whole }];
    });
    return [...texts, ...called, finish];
  }
  const json = `<execute>${JSON.stringify(calls.map((args) => ({ name: "say", args })))}</execute>`;
  const xml = `<execute>${calls
    .map(({ text, updates }) => `<say><text>${text}</text><updates>${updates}</updates></say>`)
    .join("")}</execute>`;
  const block = driver === "json" ? json : xml;
  const text = units.map((unit) => (unit.isThought ? `<think>${unit.text}</think>` : unit.text)).join("");
  const end = calls.length > 0 ? block : isLast ? "<end>" : "";
  return [...cut(text + end).map((piece): ModelEvent => ({ type: "text", text: piece })), finish];
}

/** A store whose appends take a while, before and after the events are there. `settled` resolves when none is under way. */
function slowStore(inner: Store, pause: () => Promise<void>): { store: Store; settled(): Promise<unknown> } {
  const appends = new Set<Promise<number>>();
  const store: Store = {
    ...inner,
    append(key, events, options) {
      const appended = (async () => {
        await pause();
        const last = await inner.append(key, events, options);
        await pause();
        return last;
      })();
      appends.add(appended);
      return appended.finally(() => appends.delete(appended));
    },
  };
  return { store, settled: () => Promise.allSettled(appends) };
}
