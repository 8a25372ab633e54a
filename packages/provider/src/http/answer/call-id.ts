/**
 * An id for a native tool call: the server's own if requests may hold it and no other call of the answer has it, else a
 * new one.
 *
 * @param given the server's id
 * @param index the position of the call in the answer, counted from 0
 * @param isTaken whether another call of the answer has this id
 */
export function callId(given: unknown, index: number, isTaken: (id: string) => boolean): string {
  if (isCallId(given) && !isTaken(given)) return given;
  let number = index;
  while (isTaken(`call_${number}`)) number++;
  return `call_${number}`;
}

/** Whether requests may hold this id. */
export function isCallId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9_-]{1,40}$/.test(id);
}
