import type { Json } from "@cogency/protocol";
import type { Notification, ProgressToken } from "@modelcontextprotocol/server";

/** Messages that may wait until the client reads; more are dropped. */
const mostWaiting = 100;
/** Characters of one message. */
const longest = 2000;

interface Told {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Tells the client about the progress of a call, if it has asked for it. A number is how far the call is, an object may also have the
 * `total` and a `message`, and anything else is a message. Progress that does not grow is not told.
 */
export function callProgress(
  progressToken: ProgressToken | undefined,
  notify: (notification: Notification) => Promise<void>,
): (update: Json) => void {
  if (progressToken === undefined) return () => {};
  let last = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  return (update) => {
    const told = toldOf(update, last);
    if (!(told.progress > last) || waiting >= mostWaiting) return;
    last = told.progress;
    waiting++;
    notify({ method: "notifications/progress", params: { progressToken, ...told } })
      .catch(() => {})
      .finally(() => waiting--);
  };
}

function toldOf(update: Json, last: number): Told {
  if (typeof update === "number") return { progress: update };
  const next = last < 0 ? 1 : Math.floor(last) + 1;
  const { progress, total, message } = (update ?? {}) as { progress?: Json; total?: Json; message?: Json };
  if (typeof progress !== "number") {
    const text = typeof message === "string" ? message : update;
    return { progress: next, message: shortened(typeof text === "string" ? text : JSON.stringify(text)) };
  }
  return {
    progress,
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message: shortened(message) }),
  };
}

function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}
