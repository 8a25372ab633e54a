/**
 * An id for a native tool call: the server's own, if it has the form that requests may hold and names no other call of
 * the answer, else a new one.
 *
 * @param given what the server calls it
 * @param index the place of the call in the answer, counted from 0
 * @param isTaken whether another call of the answer has this id
 */
export function callId(given: unknown, index: number, isTaken: (id: string) => boolean): string {
  if (isCallId(given) && !isTaken(given)) return given;
  let number = index;
  while (isTaken(`call_${number}`)) number++;
  return `call_${number}`;
}

/** Whether a request may name a call by this. */
export function isCallId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9_-]{1,40}$/.test(id);
}
