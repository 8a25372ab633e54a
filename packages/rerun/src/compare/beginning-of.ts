import type { StoredEvent } from "@cogency/storage";
import { CompareError } from "./compare-error.ts";
import { isOfOpening } from "./opening.ts";
import { type LoggedSteps, stepsOf } from "./steps-of.ts";

/** Where variants begin: with the request that the model got after the first `cut` events. */
export interface Beginning extends LoggedSteps {
  readonly cut: number;
}

/**
 * The first request at or after event number `from`.
 *
 * @param from defaults to the last words of the person that begin a turn
 * @throws CompareError `nothing_to_compare`, `not_between_rounds`
 */
export function beginningOf(log: readonly StoredEvent[], from: number | undefined): Beginning {
  const { steps, prompts } = stepsOf(log);
  const last = prompts.findLast(({ kind }) => kind === "turn") ?? prompts.findLast(({ kind }) => kind === "steer");
  if (!last) throw new CompareError("nothing_to_compare", "The conversation has no words of a person.");
  const index = from === undefined ? last.index : log.findIndex(({ seq }) => seq === from);
  const next = steps.find(({ start, first }) => start >= index || first === index);
  const inside = steps.some(({ first, end }) => first < index && index < end);
  if (index !== -1 && !inside) {
    if (next && followsWords(log, next.start)) return { steps, prompts, cut: next.start };
    // Words that nobody has answered, as after a failure.
    if (!next && index <= last.index) return { steps, prompts, cut: openingEnd(log, last.index) };
  }
  const allowed = steps.filter(({ start }) => followsWords(log, start)).map(({ first }) => log[first]?.seq ?? 0);
  const why =
    inside || next ? "is inside of what the model wrote before it read anything new" : "has no request after it";
  const problem = index === -1 ? `The conversation has no event ${from}.` : `Event ${from} ${why}.`;
  throw new CompareError("not_between_rounds", `${problem} ${advice(allowed, from ?? 0)}`);
}

/** Whether the model had words or results to answer there, in a run that goes on. It asks itself to go on after a block of its own that was refused. */
function followsWords(log: readonly StoredEvent[], start: number): boolean {
  const before = log.slice(0, start).findLast((event) => event.type !== "record" || event.kind === "run");
  return before?.type === "user" || before?.type === "result";
}

/** The event after the words of a turn and what belongs to them. */
function openingEnd(log: readonly StoredEvent[], first: number): number {
  const rest = log.slice(first + 1);
  const length = rest.findIndex((event) => !isOfOpening(event));
  return length === -1 ? log.length : first + 1 + length;
}

/** Names the nearest numbers. */
function advice(allowed: readonly number[], from: number): string {
  const before = allowed.filter((seq) => seq <= from).slice(-2);
  const after = allowed.filter((seq) => seq > from).slice(0, 2);
  const near = [...before, ...after];
  if (near.length === 0) return "The model has written nothing in it.";
  return `Allowed next to it: ${near.join(", ")}, or the number of a prompt.`;
}
