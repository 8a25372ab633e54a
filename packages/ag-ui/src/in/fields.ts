import { Problem } from "@cogency/server";

export type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with the input, where, and what to do. */
export function wrong(place: string, advice: string): Problem {
  return new Problem("invalid_request", `\`${place.slice(0, 80)}\` of the input is wrong: ${advice}.`);
}

export function objectAt(value: unknown, place: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(place, "give an object");
  return value as Fields;
}

/** A list of at most `most` entries; none where it is absent or null. */
export function listAt(value: unknown, place: string, most: number): readonly unknown[] {
  const list = value ?? [];
  if (!Array.isArray(list)) throw wrong(place, "give an array");
  if (list.length > most) throw wrong(place, `it has ${list.length} entries, and at most ${most} are allowed`);
  return list;
}

/** A text that is not empty, of at most `most` characters. */
export function nameAt(value: unknown, place: string, most: number): string {
  if (typeof value !== "string" || value === "" || value.length > most)
    throw wrong(place, `give a text of 1 to ${most} characters`);
  return value;
}

export function textAt(value: unknown, place: string): string {
  if (typeof value !== "string") throw wrong(place, "give a text");
  return value;
}

/** Undefined where the text is absent or null. */
export function optionalText(value: unknown, place: string): string | undefined {
  return value === undefined || value === null ? undefined : textAt(value, place);
}

/** Refuses a value that is nested deeper than arguments may be (protocol.md P15). */
export function checkDepth(value: unknown, place: string): void {
  if (isDeeperThan(value, deepest)) throw wrong(place, `it is nested more than ${deepest} levels deep`);
}

const deepest = 256;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
