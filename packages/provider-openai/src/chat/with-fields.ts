import type { Json, JsonObject } from "@cogency/protocol";

/** More than any server sends. Without a bound each piece that brings a new field would cost a copy of all before it. */
const mostFields = 64;

/**
 * An object that comes in pieces: the fields so far with those of the next piece.
 *
 * @param join makes the value of a field that both have; by default that of the piece
 */
export function withFields(
  before: JsonObject,
  piece: JsonObject,
  join: (known: Json, value: Json, name: string) => Json = (_, value) => value,
): JsonObject {
  const whole = { ...before };
  let free = mostFields - Object.keys(whole).length;
  for (const [name, value] of Object.entries(piece)) {
    const known = whole[name];
    if (known === undefined && free <= 0) continue;
    if (known === undefined) free--;
    whole[name] = known === undefined ? value : join(known, value, name);
  }
  return whole;
}
