import { isPlainObject } from "../plain-object.ts";
import type { ToolState } from "../tool.ts";

/**
 * A frozen view of the state for tools and hooks. It is copied when it is first read, because most tools never read it, and
 * each event object is copied only once, because a log is long.
 *
 * @param events the events of the state; views of one log share them
 * @param metadataOf makes the metadata of the state when it is first read
 */
export function readOnlyState(
  state: ToolState,
  events: () => ToolState["events"] = frozenEvents(state.events),
  metadataOf: () => ToolState["metadata"] = withValue(state.metadata),
): ToolState {
  const { step, usage } = state;
  let metadata: ToolState["metadata"] | undefined;
  return Object.freeze({
    get events() {
      return events();
    },
    get metadata() {
      metadata ??= frozen(metadataOf(), new Map());
      return metadata;
    },
    step,
    usage: Object.freeze({ ...usage }),
  });
}

/** Frozen copies of the events, made when they are first read. Events that the host appends to its array later are left out. */
export function frozenEvents(events: ToolState["events"]): () => ToolState["events"] {
  const { length } = events;
  let copied: ToolState["events"] | undefined;
  return () => {
    copied ??= Object.freeze(events.slice(0, length).map(frozenEvent));
    return copied;
  };
}

function withValue<T>(value: T): () => T {
  return () => value;
}

type Event = ToolState["events"][number];

/** The copies of events, which never change. A host may pass the same objects again; a store returns new ones. */
const copies = new WeakMap<Event, Event>();

function frozenEvent(event: Event): Event {
  if (typeof event !== "object" || event === null) return event;
  const known = copies.get(event) ?? frozen(event, new Map());
  copies.set(event, known);
  return known;
}

/** A frozen copy of plain data. Any other object, such as a client in the metadata, is passed as it is. */
function frozen<T>(value: T, known: Map<unknown, unknown>): T;
function frozen(value: unknown, known: Map<unknown, unknown>): unknown {
  const before = known.get(value);
  if (before) return before;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    known.set(value, copy);
    for (const item of value) copy.push(frozen(item, known));
    return Object.freeze(copy);
  }
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = {};
  known.set(value, copy);
  for (const [key, inner] of Object.entries(value)) {
    if (key !== "__proto__") copy[key] = frozen(inner, known);
    else Object.defineProperty(copy, key, { value: frozen(inner, known), enumerable: true });
  }
  return Object.freeze(copy);
}
