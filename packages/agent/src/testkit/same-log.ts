import type { LogEvent } from "@cogency/protocol";

/** What must be equal in the logs of two runs that did the same: everything but times, ids, usage and signatures. */
export function sameLog(log: readonly LogEvent[]): unknown[] {
  const names = new Map<string, string>();
  const named = (id: string) => {
    const name = names.get(id) ?? `call ${names.size + 1}`;
    names.set(id, name);
    return name;
  };
  const kept = log.filter((event) => event.type !== "record" || !(event.kind === "usage" || event.kind === "origin"));
  // Calls that run side by side may end in any order.
  const order = (event: LogEvent) => (event.type === "record" && isOfCall(event.kind) ? 1 : 0);
  const calls = kept.filter((event) => order(event) === 1);
  const rest = kept.filter((event) => order(event) === 0);
  const plain = (event: LogEvent): unknown =>
    JSON.parse(
      JSON.stringify(event, (key, value) => {
        if (key === "timestamp") return undefined;
        if (key === "ids") return (value as string[]).map(named);
        return key === "id" ? named(value as string) : value;
      }),
    );
  return [...rest.map(plain), ...calls.map((event) => JSON.stringify(plain(event))).toSorted()];
}

function isOfCall(kind: string): boolean {
  return kind === "started" || kind === "finished";
}
