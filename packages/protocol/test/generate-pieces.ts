import fc from "fast-check";
import { callOf } from "../src/call-content.ts";
import type { Piece } from "../src/parts/piece.ts";
import { type Played, played } from "./generate-run.ts";

/** A log, and what reaches a screen of it: stored events in order, and pieces that were cut from them. */
export interface Followed {
  log: Played["log"];
  arrivals: (Played["log"][number] | readonly Piece[])[];
  /** The whole text of each unit by its number, and the number of the stored event that ends it. */
  units: ReadonlyMap<number, { text: string; storedAt: number }>;
}

/** Whatever may become of pieces on their way. */
interface Fate {
  /** Where units are cut, in characters. */
  cut: number;
  /** The piece repeats so many characters before it; all of them beyond 4. */
  repeats: number;
  copies: 0 | 1 | 2;
  /** It comes after so many stored events that were stored later. */
  delay: number;
  /** Pieces that come at one moment are put together. */
  isJoined: boolean;
}

const fates = fc.array(
  fc.record({
    cut: fc.integer({ min: 1, max: 6 }),
    repeats: fc.nat(6),
    copies: fc.constantFrom(0 as const, 1 as const, 1 as const, 1 as const, 2 as const),
    delay: fc.constantFrom(0, 0, 0, 1, 2, 5),
    isJoined: fc.boolean(),
  }),
  { minLength: 1, maxLength: 20 },
);

/** Words that a run had written when its process died. They are never stored. */
const lostWords = "words that nobody stored";

export const followed: fc.Arbitrary<Followed> = fc
  .record({ played, fates, deaths: fc.array(fc.nat(40), { maxLength: 3 }) })
  .map(({ played: { log }, fates, deaths }) => follow([...log, lastWords(log)], fates, new Set(deaths)));

/** Words of the person settle whatever is open. */
function lastWords(log: Played["log"]): Played["log"][number] {
  return { type: "user", content: "Thanks.", timestamp: 2000, seq: log.length + 1 };
}

function follow(log: Played["log"], fates: readonly Fate[], deaths: ReadonlySet<number>): Followed {
  const units = new Map<number, { text: string; storedAt: number }>();
  const sent: { piece: Piece; after: number; fate: Fate }[] = [];
  let unit = 0;
  let run = 1;
  let next = 0;
  const nextFate = () => fates[next++ % fates.length] as Fate;
  const send = (piece: Piece) => {
    const fate = nextFate();
    for (let i = 0; i < fate.copies; i++) sent.push({ piece, after: piece.seq + (i === 0 ? 0 : 1) + fate.delay, fate });
  };
  /** Cuts a unit into pieces, all sent when the log had the event `seq`. */
  const write = (place: object, text: string, seq: number) => {
    for (let from = 0; from < text.length; ) {
      const { cut, repeats } = nextFate();
      const offset = repeats > 4 ? 0 : Math.max(0, from - repeats);
      from = Math.min(text.length, from + cut);
      send({ run: `r${run}`, seq, unit, offset, text: text.slice(offset, from), ...place } as Piece);
    }
  };

  for (let i = 0; i < log.length; i++) {
    const event = log[i] as Played["log"][number];
    if (deaths.has(i)) {
      units.set(++unit, { text: lostWords, storedAt: Number.POSITIVE_INFINITY });
      write({ type: "text" }, lostWords, i);
      run++;
    }
    if (event.type === "think" || event.type === "respond") {
      units.set(++unit, { text: event.content, storedAt: event.seq });
      write({ type: event.type === "think" ? "thinking" : "text" }, event.content, i);
    }
    if (event.type === "call" && log[i - 1]?.type !== "call") {
      // All calls of a block are stored together, after all of them were written.
      for (let j = i; log[j]?.type === "call"; j++) {
        const call = log[j] as Extract<(typeof log)[number], { type: "call" }>;
        const { name, args } = callOf(call);
        const text = JSON.stringify(args);
        units.set(++unit, { text, storedAt: event.seq });
        if (call.id !== undefined) write({ type: "args", call: call.id, name }, text, i);
      }
    }
    if (event.type === "record" && event.kind === "started")
      for (const update of [1, 2])
        send({ type: "progress", run: `r${run}`, seq: event.seq, call: event.data.id, update });
  }

  const arrivals: Followed["arrivals"] = [];
  for (let seq = 0; seq <= log.length; seq++) {
    const event = log[seq - 1];
    if (event) arrivals.push(event);
    let together: Piece[] = [];
    for (const { piece, fate } of sent.filter(({ after }) => after === seq)) {
      if (!fate.isJoined) together = [];
      together.push(piece);
      if (together.length === 1) arrivals.push(together);
    }
  }
  return { log, arrivals, units };
}
