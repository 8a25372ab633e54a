import type { Json, LogEvent } from "@cogency/protocol";
import type { InboxMessage, Key } from "@cogency/storage";

/** One `append`; its events are stored under `key` in the order of the list. */
export interface FrozenBatch {
  key: Key;
  events: LogEvent[];
  batch?: string;
}

/** Deleted again after everything else was stored. */
export const deletedKeys: readonly Key[] = [
  { conversation: "deleted" },
  { conversation: "deleted", user: "ada" },
  { conversation: "\ud83d", user: "deleted wholly" },
];

/** Saved in this order. */
export const frozenProfiles: readonly { user: string | undefined; profile: Json }[] = [
  { user: undefined, profile: { name: "nobody" } },
  { user: "", profile: null },
  { user: "ada", profile: "first" },
  { user: "ada", profile: { likes: ["tea", "\ud83d", "\u0000"] } },
];

/** Nobody releases it, and it ends in a hundred years. */
export const frozenLease = { key: { conversation: "leased", user: "ada" }, owner: "an owner \u0000 é" } as const;

/** From version 2 on: the scope of all that follows. */
export const frozenScope = "a scope \u0000 \ud83d";

/** Posted in this order. The one for a later time comes in the year 2200. */
export const frozenMessages: readonly { key: Key; id: string; message: InboxMessage; at?: number }[] = [
  {
    key: { conversation: "waiting", user: "ada" },
    id: "m",
    message: { kind: "prompt", content: "Wait \u0000 \ud83d" },
  },
  { key: { conversation: "waiting", user: "ada" }, id: "m\u0000", message: { kind: "cancel", from: "grace" } },
  {
    key: { conversation: "waiting", user: "ada" },
    id: "later",
    message: { kind: "answer", question: "q", content: { deep: [null, 1] } },
    at: 7_258_118_400_000,
  },
  { key: { conversation: "every kind", user: "ada" }, id: "m", message: { kind: "steer", content: "Not taken" } },
];

/** A message that was taken, with an event. */
export const frozenTaken = {
  key: { conversation: "waiting", user: "ada" },
  id: "taken \ud83d",
  message: { kind: "prompt", content: "Taken" },
} as const;

/** A timer of the year 2200. */
export const frozenTimer = { key: { conversation: "a timer" }, id: "t \u0000", at: 7_258_118_400_000 } as const;

export const frozenParked = { key: { conversation: "parked" }, reason: "because \u0000 é" } as const;

/** What every corpus file is written from, the same for every schema version. */
export function frozenBatches(): FrozenBatch[] {
  return [
    ...trickyKeys().map((key, index) => ({ key, events: [said(`The quokka of log ${index} sleeps.`, index)] })),
    { key: { conversation: "every kind", user: "ada" }, events: everyKind(), batch: "every kind" },
    ...batchIds.map((batch, index) => ({
      key: { conversation: "batches", user: "ada" },
      events: Array.from({ length: (index % 3) + 1 }, (_, place) => said(`Batch ${index}, place ${place}`, index)),
      batch,
    })),
    // The same ids in another conversation are other batches.
    ...batchIds.slice(0, 3).map((batch) => ({
      key: { conversation: "batches" },
      events: [said("Anonymous batch", 1)],
      batch,
    })),
    {
      key: { conversation: "clock runs backwards", user: "ada" },
      events: [1_700_000_300, 1_700_000_200.5, 1_700_000_100, -62_135_596_800, 0, 1e-7, 253_402_300_799.999].map(
        (timestamp, index) => said(`Backwards ${index}`, timestamp),
      ),
    },
    {
      key: { conversation: "large", user: "grace" },
      events: [said("Before the large one", 1), said(largeText(), 2), said("After the large one", 3)],
      batch: "large",
    },
    ...deletedKeys.map((key) => ({ key, events: [said("The numbat must be gone.", 1)], batch: "deleted" })),
    { key: frozenLease.key, events: [said("Before the lease", 1)] },
    // From version 3 on: what a person called it counts.
    { key: { conversation: "named", user: "ada" }, events: [said("A first message", 1)] },
    {
      key: { conversation: "named", user: "ada" },
      events: [{ type: "record", kind: "title", data: { text: "A name \ud83d" }, timestamp: 2 }],
    },
    // Again, so that the order of the lists is not the order in which the conversations began.
    { key: { conversation: "every kind", user: "ada" }, events: [said("Once more", 5)], batch: "once more" },
    { key: { conversation: "a" }, events: [said("Once more, without a name", 5)] },
  ];
}

/** Names that a careless key, path, pattern or query confuses with each other. */
const names = [
  ...[
    "",
    " ",
    "a",
    "A",
    "a ",
    "a/b",
    "a\u0000b",
    "a\u0000",
    "\u0000",
    "'; DROP TABLE events; --",
    '"a"',
    "\\",
    "\\x61",
  ],
  ...["%", "_", "null", "undefined", "0", "__proto__", "é", "e\u0301", "👩‍👧", "\ud83d", "\ude00", "\ufffd"],
  ...["x".repeat(300), `${"x".repeat(300)}y`],
];

const batchIds = ["", "b", "B", "b\u0000", "b\u0000c", "\ud83d", "\ude00", "null", "é", "e\u0301", "y".repeat(200)];

/** Every name as a conversation of three users, and as a user. */
function trickyKeys(): Key[] {
  const users = [undefined, "", "null"];
  return [
    ...users.flatMap((user) => names.map((conversation) => keyOf(conversation, user))),
    ...names.filter((name) => !users.includes(name)).map((user) => keyOf("shared", user)),
  ];
}

function keyOf(conversation: string, user: string | undefined): Key {
  return user === undefined ? { conversation } : { conversation, user };
}

function said(content: string, timestamp: number): LogEvent {
  return { type: "user", content, timestamp };
}

/** More than a page of the database even when it is compressed, in characters of one to four bytes. */
function largeText(): string {
  const parts = Array.from({ length: 400 }, (_, index) => `Bilby ${index ** 3} é 猫 👩‍👧 \u0000 " \\ \n\u2028`);
  return parts.join(" ");
}

/** One event of every kind that a store keeps, with every optional field somewhere. */
function everyKind(): LogEvent[] {
  return [
    { type: "user", content: "What is in main.py?", timestamp: 1_700_000_000.123456 },
    { type: "user", content: "Go on.", origin: "nudge", timestamp: 1_700_000_001 },
    { type: "user", content: "A file changed.", origin: "notice", timestamp: 1_700_000_001.5 },
    { type: "user", content: "You were interrupted.", origin: "recovery", timestamp: 1_700_000_002 },
    { type: "think", content: "I need to read it.\n\n  Twice.", timestamp: 1_700_000_003 },
    { type: "call", content: '{"name":"read","args":{"file":"main.py"}}', id: "call_1", timestamp: 1_700_000_004 },
    { type: "call", content: '{"name":"now","args":{}}', timestamp: 0 },
    {
      type: "result",
      content: '[{"tool":"read","status":"success","content":"print(\\"bandicoot\\") \\u003cexecute>"}]',
      payload: { tools_executed: 1, success_count: 1, failure_count: 0 },
      timestamp: 1_700_000_005,
    },
    { type: "respond", content: "", timestamp: 1_700_000_006 },
    { type: "respond", content: "It prints a line.", unit: 2, timestamp: 1_700_000_007 },
    { type: "cancelled", timestamp: -1.5 },
    { type: "record", kind: "started", data: { id: "call_1" }, timestamp: 1_700_000_008 },
    {
      type: "record",
      kind: "finished",
      data: { id: "call_1", result: { tool: "read", status: "success", content: [1, null, { deep: [[[]], {}] }] } },
      timestamp: 1_700_000_009,
    },
    {
      type: "record",
      kind: "rejected",
      data: { code: "malformed_execute", message: "Expected an array.", position: 17 },
      timestamp: 1_700_000_010,
    },
    {
      type: "record",
      kind: "native",
      data: { provider: "p", model: "m", data: [{ signature: "AbC+/=", thinking: "…" }] },
      timestamp: 1_700_000_011,
    },
    { type: "record", kind: "summary", data: "They talked about files.", timestamp: 1_700_000_012 },
    {
      type: "record",
      kind: "usage",
      data: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 0.1, cost: 1e-7 },
      timestamp: 1_700_000_013,
    },
    { type: "record", kind: "summary", data: null, timestamp: 1_700_000_014 },
  ];
}
