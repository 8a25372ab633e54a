import { isPromise } from "@cogency/async";
import type { JsonObject } from "@cogency/protocol";
import type { MetadataPatch } from "../hooks/tool-hook.ts";
import { type StopSignal, strongestStop } from "../stop-run.ts";
import type { ToolState } from "../tool.ts";
import { frozenEvents, readOnlyState } from "./read-only-state.ts";

/** The changes that hooks and tools of a batch make to the state of the run. They count in call order. */
export interface BatchState {
  /** The state for a call that begins now: as the batch began if it is parallel, else with the patches so far. */
  current(): ToolState;
  /** Takes the place of the state with which the batch was opened, before any patch. */
  restart(state: ToolState): void;
  /** The metadata with the patches so far; the host's own object if there are none. */
  metadata(): JsonObject;
  stop(): StopSignal | undefined;
  /** @param failed called if the patch is a function that throws; it then changes nothing */
  patch(call: number, patch: MetadataPatch, failed: (error: unknown) => void): void;
  askToStop(call: number, signal: StopSignal): void;
  /** Why calls that have not begun are skipped; undefined while they are not. */
  gaveUp(): string | undefined;
  giveUp(because: string): void;
  /** Applies the patches of a parallel batch. */
  merge(): void;
}

export function createBatchState(initial: ToolState | undefined, mode: "parallel" | "sequential"): BatchState {
  let current = initial ?? untouched;
  let snapshot = initial ? undefined : untouched;
  let events = frozenEvents(current.events);
  /** The patches, in their order, and the metadata with the first ones of them: a patch copies nothing. */
  let patches: JsonObject[] = [];
  let patched = { count: 0, metadata: current.metadata };
  let pending: { call: number; apply(): void }[] = [];
  let gaveUp: string | undefined;
  const signals: { call: number; signal: StopSignal }[] = [];

  /** The metadata with this many patches. */
  const metadataAt = (count: number): JsonObject => {
    if (count === patched.count) return patched.metadata;
    const from = count > patched.count ? patched : { count: 0, metadata: current.metadata };
    const layers = [from.metadata, ...patches.slice(from.count, count)];
    patched = { count, metadata: Object.fromEntries(layers.flatMap(Object.entries)) };
    return patched.metadata;
  };
  const seen = () => {
    const { length } = patches;
    snapshot ??= readOnlyState(current, events, () => metadataAt(length));
    return snapshot;
  };
  const apply = (patch: MetadataPatch, failed: (error: unknown) => void) => {
    try {
      const changes = typeof patch === "function" ? patch(seen().metadata) : patch;
      const isObject = typeof changes === "object" && changes !== null && !Array.isArray(changes);
      if (changes !== undefined && (!isObject || isPromise(changes))) {
        throw new TypeError("it returned no object of properties");
      }
      patches.push({ ...changes });
      snapshot = undefined;
    } catch (error) {
      failed(error);
    }
  };
  return {
    current: seen,
    restart(state) {
      current = state;
      events = frozenEvents(state.events);
      patches = [];
      patched = { count: 0, metadata: state.metadata };
      snapshot = undefined;
    },
    metadata: () => metadataAt(patches.length),
    stop: () => strongestStop(inCallOrder(signals).map(({ signal }) => signal)),
    patch(call, patch, failed) {
      if (mode === "sequential") apply(patch, failed);
      else pending.push({ call, apply: () => apply(patch, failed) });
    },
    askToStop: (call, signal) => void signals.push({ call, signal }),
    gaveUp: () => gaveUp,
    giveUp(because) {
      gaveUp ??= because;
    },
    merge() {
      for (const { apply } of inCallOrder(pending)) apply();
      pending = [];
    },
  };
}

/** The state of a run in which nothing has happened yet. */
const untouched: ToolState = Object.freeze({
  events: Object.freeze([]),
  metadata: Object.freeze({}),
  step: 0,
  usage: Object.freeze({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }),
});

function inCallOrder<T extends { call: number }>(entries: readonly T[]): T[] {
  return entries.toSorted((one, other) => one.call - other.call);
}
