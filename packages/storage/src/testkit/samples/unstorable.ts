/** Values that are no valid event, each with a phrase for it. Every case gets new ones. */
export function unstorable(): [string, unknown][] {
  return [
    ...["execute", "end", "metric", "error", "interrupt", "call_delta", "USER", "", "toString"].map(
      (type): [string, unknown] => [`the type "${type}"`, { type, content: "x", timestamp: 1 }],
    ),
    ["no type", { content: "x", timestamp: 1 }],
    ["no event", undefined],
    ["null", null],
    ["no timestamp", { type: "user", content: "x" }],
    ["a timestamp that is text", { type: "user", content: "x", timestamp: "1" }],
    ["a timestamp of NaN", { type: "user", content: "x", timestamp: Number.NaN }],
    ["an infinite timestamp", { type: "cancelled", timestamp: Number.POSITIVE_INFINITY }],
    ["no content", { type: "respond", timestamp: 1 }],
    ["content that is not text", { type: "user", content: { text: "x" }, timestamp: 1 }],
    ...Object.entries(unstorableValues()).flatMap(([what, value]): [string, unknown][] => [
      [`${what} in a record`, { type: "record", kind: "native", data: { list: [{ value }] }, timestamp: 1 }],
      [`${what} in a field`, { type: "cancelled", extra: value, timestamp: 1 }],
    ]),
  ];
}

/** Values that JSON cannot hold, by a phrase. Every case gets new ones. */
export function unstorableValues(): Record<string, unknown> {
  const cycle: unknown[] = [];
  cycle.push([cycle]);
  return {
    "a bigint": 1n,
    "a function": () => 1,
    "a symbol": Symbol("s"),
    NaN: Number.NaN,
    "an infinite number": Number.POSITIVE_INFINITY,
    "a Date": new Date(0),
    "a Map": new Map([["a", 1]]),
    bytes: new Uint8Array(2),
    "undefined in an array": [1, undefined],
    "an array with a hole": new Array<number>(1),
    "an instance of a class": new Error("e"),
    "a cycle": cycle,
    "a value nested 100,000 deep": nested(100_000),
  };
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
