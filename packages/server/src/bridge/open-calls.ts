import type { Json } from "@cogency/protocol";
import type { CallPart, Parts, View } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import type { Change } from "./change.ts";
import { restOfJson } from "./rest-of-json.ts";

interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** What was told of the text of the arguments; undefined for a call of which no piece has come. */
  sent: string | undefined;
  /** The log holds it. */
  isStored: boolean;
  progress: Json | undefined;
}

/** The calls that are being written, wait or run. */
export class OpenCalls {
  turn = "0";
  readonly #calls = new Map<string, OpenCall>();

  /** What pieces have added to the calls that are being written. */
  write({ calls }: View["open"]): Change[] {
    return calls.flatMap(({ part }) => this.#writeOne(part));
  }

  /** What the calls that run have told of their progress. */
  progress(stored: Parts): Change[] {
    return [...this.#calls.values()].flatMap((call): Change[] => {
      const update = call.isStored ? partOf(stored, call.id)?.progress : undefined;
      if (update === undefined || update === call.progress) return [];
      call.progress = update;
      return [{ type: "call_progress", id: call.id, update }];
    });
  }

  /** What a stored event says of calls. */
  settle(event: StoredEvent, { open, stored }: View): Change[] {
    const changes = event.type === "call" ? this.#store(event, stored) : [];
    if (event.type === "record" && event.kind === "started" && event.data.call !== undefined)
      changes.push(...this.#change(event.data.id, stored));
    // The calls of a block are stored one after another.
    const refused = event.type === "call" ? [] : this.#refused(open.calls);
    return [...changes, ...refused, ...this.#ended(stored)];
  }

  /** Nothing more comes of the calls that are open. */
  giveUp(): Change[] {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    return calls.map(({ id, name, isStored }) => ({
      type: "call_end",
      id,
      name,
      outcome: isStored ? "failure" : "refused",
    }));
  }

  #writeOne({ id = "", name, text = "" }: CallPart): Change[] {
    if (name === "") return [];
    const known = this.#calls.get(id);
    if (known?.isStored) return [];
    const call = known ?? this.#add(id, name);
    const more = text.slice(call.sent?.length ?? 0);
    call.sent = text;
    return [
      ...(known ? [] : [this.#begun(call)]),
      ...(more === "" ? [] : [{ type: "call_delta", id, text: more } as const]),
    ];
  }

  #store({ id }: { id?: string }, stored: Parts): Change[] {
    const part = id === undefined ? undefined : partOf(stored, id);
    if (id === undefined || !part) return [];
    const { name, args = {} } = part;
    const known = this.#calls.get(id);
    const call = known ?? this.#add(id, name);
    call.isStored = true;
    // From here on in the order of the log, whatever pieces came first.
    this.#calls.delete(id);
    this.#calls.set(id, call);
    const rest = call.sent === undefined ? "" : restOfJson(call.sent, args);
    return [
      ...(known ? [] : [this.#begun(call)]),
      ...(rest ? [{ type: "call_delta", id, text: rest } as const] : []),
      { type: "call_ready", id, name, args, ...(rest === undefined && { isRestated: true as const }) },
    ];
  }

  /** A hook has changed a call before it began. */
  #change(id: string, stored: Parts): Change[] {
    const part = partOf(stored, id);
    return part?.args && this.#calls.has(id) ? [{ type: "call_changed", id, name: part.name, args: part.args }] : [];
  }

  /** The calls that the log now shows as ended. */
  #ended(stored: Parts): Change[] {
    return [...this.#calls.values()].flatMap((call): Change[] => {
      const part = call.isStored ? partOf(stored, call.id) : undefined;
      if (part?.state !== "done") return [];
      this.#calls.delete(call.id);
      const { id, name, outcome, result } = part;
      const known = outcome === "success" || outcome === "denied" ? outcome : "failure";
      return [{ type: "call_end", id: id ?? call.id, name, outcome: known, ...(result && { result }) }];
    });
  }

  /** The calls that were announced, and whose block will not come. */
  #refused(open: View["open"]["calls"]): Change[] {
    const announced = new Set(open.map(({ part }) => part.id));
    const refused = [...this.#calls.values()].filter(({ id, isStored }) => !isStored && !announced.has(id));
    for (const { id } of refused) this.#calls.delete(id);
    return refused.map(({ id, name }) => ({ type: "call_end", id, name, outcome: "refused" }));
  }

  #add(id: string, name: string): OpenCall {
    const call: OpenCall = { id, name, sent: undefined, isStored: false, progress: undefined };
    this.#calls.set(id, call);
    return call;
  }

  #begun({ id, name }: OpenCall): Change {
    return { type: "call", id, name, turn: this.turn };
  }
}

function partOf(stored: Parts, id: string): CallPart | undefined {
  return stored.findLast((part): part is CallPart => part.type === "call" && part.id === id);
}
