import type { LogEvent } from "@cogency/protocol";

export interface Summary {
  /** How many events it stands for; 0 takes summaries back. */
  readonly upTo: number;
  readonly text: string;
}

/** Of each event, whether it may be the first that requests show: no turn of the model is open before it. */
export function cleanPlaces(log: readonly LogEvent[]): boolean[] {
  let isOpen = false;
  let hasCalls = false;
  return log.map((event) => {
    const isClean = event.type === "user" || !isOpen;
    switch (event.type) {
      case "user":
        isOpen = hasCalls = false;
        break;
      case "result":
      case "cancelled":
        if (hasCalls) isOpen = hasCalls = false;
        break;
      case "record":
        if (event.kind === "rejected") isOpen = hasCalls = false;
        isOpen ||= event.kind === "native";
        break;
      default:
        isOpen = true;
        hasCalls ||= event.type === "call";
    }
    return isClean;
  });
}

/** The summary that the record at `index` holds; undefined for one without effect. A log from elsewhere may hold anything. */
export function summaryAt(index: number, data: unknown, isClean: readonly boolean[]): Summary | undefined {
  const { upTo, text } = (data ?? {}) as { upTo?: unknown; text?: unknown };
  if (upTo === 0) return { upTo, text: "" };
  const counts = typeof upTo === "number" && upTo <= index && isClean[upTo] && text && typeof text === "string";
  return counts ? { upTo, text } : undefined;
}

/** The summary that counts in requests: the last one with an effect. Undefined where none stands for anything. */
export function summaryOf(log: readonly LogEvent[]): Summary | undefined {
  let isClean: boolean[] | undefined;
  for (let index = log.length - 1; index >= 0; index--) {
    const event = log[index] as LogEvent;
    if (event.type !== "record" || event.kind !== "summary") continue;
    isClean ??= cleanPlaces(log);
    const summary = summaryAt(index, event.data, isClean);
    if (summary) return summary.upTo > 0 ? summary : undefined;
  }
  return undefined;
}
