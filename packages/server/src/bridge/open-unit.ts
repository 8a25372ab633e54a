import type { View } from "@cogency/protocol/parts";
import type { Change } from "./change.ts";

type Kind = "text" | "thinking";

interface Writing {
  readonly id: string;
  readonly kind: Kind;
  readonly run: string;
  readonly unit: number;
  /** What was told of it. */
  sent: string;
}

/** The unit that is being written, and the ids of all units of a turn. */
export class OpenUnit {
  #turn = "0";
  /** How many units of each kind the log holds since the turn began. */
  #stored = { text: 0, thinking: 0 };
  /** How many were begun of which nothing was stored. */
  #lost = 0;
  #writing: Writing | undefined;

  set turn(turn: string) {
    this.#turn = turn;
    this.#stored = { text: 0, thinking: 0 };
    this.#lost = 0;
  }

  /** What pieces have added, and the end of a unit of which nothing was stored. */
  follow({ run, unit: open }: View["open"]): Change[] {
    if (!open) return this.giveUp();
    const { content, type: kind } = open.part;
    const { unit } = open;
    const known = this.#writing;
    if (known?.run === run && known.unit === unit && known.kind === kind) return this.#grow(known, content);
    const before = this.giveUp();
    const writing: Writing = { id: this.#idOf(kind), kind, run, unit, sent: "" };
    this.#writing = writing;
    return [...before, { type: "unit", id: writing.id, kind }, ...this.#grow(writing, content)];
  }

  /** A unit is stored. */
  settle(kind: Kind, text: string): Change[] {
    const before = this.#writing?.kind === kind ? [] : this.giveUp();
    const known = this.#writing;
    const id = known?.id ?? this.#idOf(kind);
    this.#writing = undefined;
    this.#stored[kind]++;
    const rest = text.startsWith(known?.sent ?? "") ? text.slice(known?.sent.length ?? 0) : "";
    return [
      ...before,
      ...(known ? [] : [{ type: "unit", id, kind } as const]),
      ...(rest === "" ? [] : [{ type: "unit_delta", id, text: rest } as const]),
      { type: "unit_end", id, text },
    ];
  }

  /** Nothing more comes of the unit that is open. */
  giveUp(): Change[] {
    const writing = this.#writing;
    if (!writing) return [];
    this.#writing = undefined;
    this.#lost++;
    return [{ type: "unit_end", id: writing.id }];
  }

  #grow(writing: Writing, content: string): Change[] {
    const text = content.slice(writing.sent.length);
    if (text === "") return [];
    writing.sent = content;
    return [{ type: "unit_delta", id: writing.id, text }];
  }

  /** The same from the log and with pieces, but after a unit of which nothing was stored. */
  #idOf(kind: Kind): string {
    const lost = this.#lost === 0 ? "" : `~${this.#lost}`;
    return `${this.#turn}.${kind === "text" ? "t" : "r"}${this.#stored[kind] + 1}${lost}`;
  }
}
