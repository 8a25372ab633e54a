import type { Json, LogEvent } from "@cogency/protocol";
import type { InboxMessage, Key } from "@cogency/storage";
import type { LeaseOptions, SlotOptions } from "@cogency/storage/adapter";

/** One `append`; its events are stored under `key` in the order of the list. */
export interface FrozenBatch {
  key: Key;
  events: LogEvent[];
  batch?: string;
}

export interface FrozenProfile {
  profile: Json;
  version: number;
  /** Left out for the anonymous one. */
  user?: string;
}

/** Deleted again after everything else was stored. */
export const deletedKeys: Key[] = [
  { conversation: "deleted" },
  { conversation: "deleted", user: "ada" },
  { conversation: "\ud83d", user: "deleted wholly" },
];

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
    {
      key: { conversation: "long", user: "grace" },
      events: Array.from({ length: 100 }, (_, index) => said(`Wombat number ${index + 1}`, 1_700_000_000 + index)),
    },
    ...deletedKeys.map((key) => ({ key, events: [said("The numbat must be gone.", 1)], batch: "deleted" })),
  ];
}

/** Stored after a search, so that a part of the store is in its index and a part is not yet. */
export function lateBatches(): FrozenBatch[] {
  return [
    // Conversations from above, so that the order of the lists is not the order in which they began.
    { key: { conversation: "every kind", user: "ada" }, events: [said("Once more", 5)], batch: "once more" },
    { key: { conversation: "a" }, events: [said("A late quokka, without a name", 5)] },
  ];
}

/** Each is saved as often as its version says. */
export const savedProfiles: FrozenProfile[] = [
  { profile: { likes: ["quokkas", null, 1e-7], name: "Ada \ud83d\ude00 \u0000" }, version: 3, user: "ada" },
  { profile: "anonymous", version: 1 },
  { profile: [], version: 1, user: "" },
  { profile: { a: "high surrogate" }, version: 2, user: "\ud83d" },
];

/** Their times of expiry depend on when the file is written: one is over at once, the others are not in our days. */
export const grantedLeases: (LeaseOptions & { key: Key })[] = [
  { key: { conversation: "long", user: "grace" }, owner: "over", ttl: 1 },
  { key: { conversation: "every kind", user: "ada" }, owner: "writer \u0000 é", ttl: 1e13 },
  { key: { conversation: "never written" }, owner: "\ud83d", ttl: 1e13 },
];

/** One message, posted in the order of the list. */
export interface FrozenPost {
  key: Key;
  id: string;
  message: InboxMessage;
  at?: number;
}

/** In the year 2255. */
const later = 9e12;

/** Posted after everything else was appended; so no list holds these keys. */
export function frozenPosts(): FrozenPost[] {
  const inbox: Key = { conversation: "inbox", user: "ada" };
  return [
    ...everyMessage().map((message, index) => ({ key: inbox, id: `message ${index}`, message })),
    { key: inbox, id: "later", message: prompt("Not yet."), at: later },
    { key: inbox, id: "large", message: prompt(largeText()) },
    ...names.map((id) => ({ key: { conversation: "ids" }, id, message: prompt(`The id ${id.toWellFormed()}`) })),
    ...names.map((conversation) => ({
      key: keyOf(conversation, "mail"),
      id: "one",
      message: prompt("Only a message"),
    })),
    { key: takingKey, id: "taken", message: prompt("Taken with an event.") },
    { key: takingKey, id: "left", message: { kind: "steer", content: "Left in the inbox." } },
  ];
}

/** An append to this key takes this message. */
export const takingKey: Key = { conversation: "taking", user: "grace" };
export const takenIds = ["taken"];

/** Each key has a scope of its own, as `scopeOf` says, and is due by these timers. */
export function frozenTimers(): { key: Key; id: string; at: number }[] {
  return [
    ...names.map((id) => ({ key: { conversation: "due", user: "ada" }, id, at: 1_700_000_000_000.5 })),
    { key: { conversation: "due", user: "ada" }, id: "later", at: later },
    { key: { conversation: "waits" }, id: "later", at: later },
    { key: { conversation: "claimed" }, id: "timer", at: 1 },
    { key: { conversation: "deferred", user: "\ud83d" }, id: "timer", at: 1 },
    { key: { conversation: "parked", user: "" }, id: "timer", at: 1 },
  ];
}

export function scopeOf({ conversation }: Key): string {
  return `${conversation} \ude00`;
}

export const claimOptions = { owner: "worker \u0000 é", limit: 1, ttl: 1e13 };
export const deferredTo = later;
export const parkedReason = "\ud83d failed \u0000 5 times";

/** Held until after our days. */
export const heldSlot: SlotOptions & { name: string } = { name: "slot \ud83d", limit: 1, owner: "one", ttl: 1e13 };

/** Names that a careless key, path, pattern or query confuses with each other. */
const names = [
  "",
  " ",
  "a",
  "A",
  "a ",
  "a/b",
  "a\u0000b",
  "a\u0000",
  "\u0000",
  "../a",
  "'; DROP TABLE events; --",
].concat(
  ['"a"', "\\", "%", "_", "*", "null", "undefined", "0", "00", "__proto__", "é", "e\u0301", "👩‍👧"],
  ["\ud83d", "\ude00", "\ufffd", "x".repeat(300), `${"x".repeat(300)}y`],
);

const batchIds = [
  "",
  "b",
  "B",
  "b\u0000",
  "b\u0000c",
  "\ud83d",
  "\ude00",
  "null",
  "1",
  "é",
  "e\u0301",
  "y".repeat(200),
];

/** Every name as a conversation of four users, and as a user. */
function trickyKeys(): Key[] {
  const users = [undefined, "", "null", "ada"];
  return [
    ...users.flatMap((user) => names.map((conversation) => keyOf(conversation, user))),
    ...names.filter((name) => !users.includes(name)).map((user) => keyOf("shared", user)),
  ];
}

function keyOf(conversation: string, user: string | undefined): Key {
  return user === undefined ? { conversation } : { conversation, user };
}

function prompt(content: string): InboxMessage {
  return { kind: "prompt", content };
}

/** One message of every kind, with every optional field somewhere. */
function everyMessage(): InboxMessage[] {
  return [
    { kind: "prompt", content: "What is é \u0000 \ud83d\ude00?", from: "ada" },
    { kind: "steer", content: "" },
    { kind: "approve", question: "q1", proof: { key: "k", mac: "0f".repeat(32) } },
    { kind: "deny", question: "q2", reason: "No." },
    { kind: "answer", question: "q3", content: { list: [1, null, 1e-7], text: "\u2028" } },
    { kind: "cancel", reason: "Enough." },
    { kind: "cancel" },
  ];
}

function said(content: string, timestamp: number): LogEvent {
  return { type: "user", content, timestamp };
}

/** More than a page of the database, in characters of one to four bytes. */
function largeText(): string {
  return 'Bilby é 猫 👩‍👧 \u0000 " \\ \n\u2028 '.repeat(400);
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
