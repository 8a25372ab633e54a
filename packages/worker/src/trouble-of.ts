import type { LogEvent } from "@cogency/protocol";
import type { Key, Store } from "@cogency/storage";

/** What a log says of the tries that have failed since the conversation last got on. */
export interface LoggedTrouble {
  /** The last sequence number of the log; 0 if it is empty. */
  last: number;
  /** The codes of the notices, in their order. */
  codes: readonly string[];
}

/** Reads the end of a log. */
export async function troubleOf(store: Pick<Store, "load">, key: Key): Promise<LoggedTrouble> {
  for (let size = 32; ; size *= 8) {
    const events = await store.load(key, { last: size });
    const from = events.findLastIndex(hasGotOn);
    if (from < 0 && events.length === size) continue;
    const codes = events.slice(from + 1).flatMap((event) => (isNotice(event) ? [String(event.data?.code)] : []));
    return { last: events.at(-1)?.seq ?? 0, codes };
  }
}

/** Whether the conversation got on with this event, or a person took care of it: tries are counted anew after it. */
function hasGotOn(event: LogEvent): boolean {
  switch (event.type) {
    case "user":
      return event.origin === undefined || event.origin === "untrusted";
    case "result":
    case "cancelled":
      return true;
    case "record":
      return event.kind === "run" || (isNotice(event) && event.data?.parked === true);
    default:
      // What a broken answer left.
      return false;
  }
}

function isNotice(event: LogEvent) {
  return event.type === "record" && event.kind === "notice";
}
