import type { Json, JsonObject } from "@cogency/protocol";

/** More than any server sends. Without a limit, each piece with a new field would cost a copy of all fields before it. */
const mostFields = 64;

/**
 * Adds the fields of a piece to an object that arrives in pieces. New fields beyond 64 are ignored.
 *
 * @param join returns the value of a field that both have; defaults to the value of the piece
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
