import type { AgentEvent, CallEvent, RespondEvent, ThinkEvent } from "../events.ts";

/**
 * Turns the token view into the event view (protocol.md §3): whole units, and the calls of a block directly before its
 * `execute`. Calls that never took effect (protocol.md P7) and `call_delta` events are left out. Events that are settled
 * already pass through unchanged.
 */
export function settle<E extends AgentEvent>(events: Iterable<E>): Generator<E, void, undefined>;
export function settle<E extends AgentEvent>(events: AsyncIterable<E>): AsyncGenerator<E, void, undefined>;
export function settle<E extends AgentEvent>(events: Iterable<E> | AsyncIterable<E>) {
  return Symbol.asyncIterator in events ? settleAsync(events) : settleSync(events);
}

/**
 * Settles one event at a time, for a caller that receives events instead of pulling them. The settled events are of the
 * types that it takes.
 */
export interface Settler<E extends AgentEvent = AgentEvent> {
  /** Takes the next event of the token view; returns the events that it settled. */
  write(event: E): E[];
  /** Takes a piece that goes on with the open unit. Returns false, and takes nothing, if it does not. */
  extend(piece: ThinkEvent | RespondEvent): boolean;
  /** Called after the last event; returns the last unit, if one is open. */
  end(): E[];
  /** The unit that is open, and grows: one object for as long as it is. Undefined between units. */
  readonly open: ThinkEvent | RespondEvent | undefined;
}

export function createSettler<E extends AgentEvent = AgentEvent>(): Settler<E> {
  let unit: ThinkEvent | RespondEvent | undefined;
  let calls: CallEvent[] = [];
  /** Pieces of the unit since its text was joined. */
  let pieces = 0;

  const closeUnit = (): E[] => {
    if (!unit) return [];
    const { unit: _, ...settled } = unit;
    unit = undefined;
    return [settled as E];
  };

  const extend = (piece: ThinkEvent | RespondEvent): boolean => {
    if (unit?.type !== piece.type || unit.unit === undefined || unit.unit !== piece.unit) return false;
    unit.content += piece.content;
    // An engine keeps a sum of strings as a tree, which takes more memory than the text; searching the text joins it.
    if (++pieces > 16 + unit.content.length / 16) pieces = Number(unit.content.includes("\0"));
    return true;
  };

  return {
    extend,
    write(event) {
      if (event.type === "call_delta") return [];
      const isUnit = event.type === "think" || event.type === "respond";
      if (isUnit && extend(event)) return [];
      const settled = closeUnit();
      if (isUnit) unit = { ...event };
      else if (event.type === "call") calls.push(event);
      else {
        // Every other boundary than `execute` voids the announced calls.
        // No spread: a list may be longer than an engine's list of arguments.
        if (event.type === "execute") for (const call of calls) settled.push(call as E);
        calls = [];
        settled.push(event);
      }
      return settled;
    },
    end: closeUnit,
    get open() {
      return unit;
    },
  };
}

function* settleSync<E extends AgentEvent>(events: Iterable<E>): Generator<E, void, undefined> {
  const settler = createSettler<E>();
  for (const event of events) yield* settler.write(event);
  yield* settler.end();
}

async function* settleAsync<E extends AgentEvent>(events: AsyncIterable<E>): AsyncGenerator<E, void, undefined> {
  const settler = createSettler<E>();
  for await (const event of events) for (const settled of settler.write(event)) yield settled;
  yield* settler.end();
}
