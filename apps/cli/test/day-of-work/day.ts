/** Where a question is answered. */
type Place = "chat" | "command" | "attach" | "page";

export interface Asked {
  readonly where: Place;
  /** Why the call may not run; absent for a yes. */
  readonly no?: string;
}

/**
 * One call, in a step of its own. `edit` adds a line to the ledger, `create` writes a file of its own; both ask. `effect` adds a line to
 * the list of effects, which no call may do twice; `fail` is a command that fails; `hold` is an effect that goes on until it is released.
 */
export type Call =
  | { readonly does: "edit" | "create"; readonly asked: Asked }
  | { readonly does: "effect" | "fail" | "hold" };

/** How a turn is broken off, and how it goes on; with `nothing` the next prompt comes instead. */
export interface Break {
  readonly by: "Ctrl-C" | "cancel command" | "page cancel" | "kill";
  readonly in: "answer" | "call" | "question";
  readonly next: "/continue" | "the page goes on" | "nothing";
}

/** What is typed while the held call runs. */
export interface Meanwhile {
  readonly what: "steer" | "queue";
  readonly where: "chat" | "attach" | "page";
}

export type After =
  | "/undo"
  | "rewind --files"
  | "rewind"
  | "/fork"
  | "/fork and back"
  | "fork and run"
  | "/model"
  | "resize"
  | "new chat";

/** What a person says, what the model does about it, and what happens around it. */
export interface Turn {
  /** The first word of its prompt: `T07`. */
  readonly name: string;
  readonly from: "chat" | "page" | "one shot";
  readonly calls: readonly Call[];
  readonly break?: Break;
  readonly meanwhile?: Meanwhile;
  /** Another terminal prints all events meanwhile. */
  readonly isWatched?: true;
  /** The server fails once before it answers. */
  readonly trouble?: true;
  readonly after?: After;
}

type Planned = Omit<Turn, "name">;
type Kind = (any: Chooser) => Planned;

/** What can happen in a turn, so that each of these kinds occurs on every day. */
const kinds: readonly Kind[] = [
  (any) => ({
    from: "chat",
    calls: [
      { does: "edit", asked: { where: "chat" } },
      { does: "create", asked: { where: "attach" } },
    ],
    after: any.of("/undo", "rewind --files"),
  }),
  (any) => ({
    from: "chat",
    calls: [
      { does: "create", asked: { where: "page", no: "not today" } },
      { does: "edit", asked: { where: "command" } },
      { does: "fail" },
    ],
    after: any.of("resize", "/model"),
  }),
  (any) => ({
    from: "chat",
    calls: [{ does: "effect" }],
    break: { by: any.of("Ctrl-C", "page cancel"), in: "answer", next: any.of("/continue", "nothing") },
    after: "/fork",
  }),
  (any) => ({
    from: "chat",
    calls: [{ does: "hold" }],
    break: { by: "Ctrl-C", in: "call", next: any.of("/continue", "nothing") },
    after: any.of("/model", "resize"),
  }),
  () => ({
    from: "chat",
    calls: [{ does: "effect" }, { does: "hold" }],
    break: { by: "kill", in: "call", next: "/continue" },
  }),
  () => ({ from: "chat", calls: [{ does: "effect" }], break: { by: "kill", in: "answer", next: "/continue" } }),
  () => ({
    from: "page",
    calls: [{ does: "edit", asked: { where: "page" } }, { does: "hold" }],
    meanwhile: { what: "steer", where: "page" },
    after: "fork and run",
  }),
  (any) => ({
    from: "chat",
    calls: [{ does: "hold" }],
    meanwhile: { what: any.of("steer", "queue"), where: "chat" },
    trouble: true,
  }),
];

/** Further ones, of a long day. */
const rare: readonly Kind[] = [
  (any) => ({
    from: "chat",
    calls: [{ does: "edit", asked: { where: any.of("chat", "command", "attach", "page"), no: "think again" } }],
    after: any.of("new chat", "rewind"),
  }),
  (any) => ({
    from: "chat",
    calls: [{ does: "create", asked: { where: "command" } }],
    break: { by: "cancel command", in: "answer", next: any.of("/continue", "nothing") },
    after: "rewind",
  }),
  (any) => ({
    from: "chat",
    calls: [{ does: "effect" }, { does: "edit", asked: { where: "command" } }],
    break: { by: "kill", in: "question", next: any.of("/continue", "the page goes on") },
  }),
  (any) => ({
    from: "chat",
    calls: [{ does: "create", asked: { where: "chat" } }],
    break: { by: any.of("Ctrl-C", "cancel command", "page cancel"), in: "question", next: "nothing" },
  }),
  (any) => ({
    from: "one shot",
    calls: [{ does: "effect" }, { does: "fail" }],
    after: any.of("new chat", "/fork and back"),
  }),
  (any) => ({
    from: "chat",
    calls: [{ does: "hold" }],
    meanwhile: { what: "steer", where: any.of("attach", "page") },
    isWatched: true,
    after: any.of("/fork and back", "resize"),
  }),
  () => ({ from: "chat", calls: [{ does: "effect" }], break: { by: "kill", in: "answer", next: "the page goes on" } }),
  (any) => ({ from: any.of("chat", "page"), calls: [], trouble: true, after: any.of("new chat", "resize") }),
];

/** The turns of a day: at least each of the first kinds, in an order that the seed decides. */
export function dayOf(seed: number, turns: number): Turn[] {
  const any = new Chooser(seed);
  const all = turns > kinds.length ? [...kinds, ...rare] : kinds;
  const rounds = Math.ceil(turns / all.length);
  const chosen = Array.from({ length: rounds }, () => any.order(all)).flat();
  return chosen.slice(0, turns).map((kind, at) => ({ name: `T${String(at + 1).padStart(2, "0")}`, ...kind(any) }));
}

/** Chooses by a seed: the same seed, the same choices (mulberry32). */
export class Chooser {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 on, below `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  of<Choice>(...choices: readonly [Choice, ...Choice[]]): Choice {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  order<Item>(items: readonly Item[]): Item[] {
    const rest = [...items];
    return items.flatMap(() => rest.splice(this.below(rest.length), 1));
  }
}
