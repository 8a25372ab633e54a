import type { LogEvent, Proof } from "@cogency/protocol";
import type { Key } from "@cogency/storage";
import { createKeyRing, type KeyRing } from "@cogency/tools";
import { argumentsHash } from "@cogency/tools/host";
import { answerOf, approvalEvent, isAnswer, proofFrom, proofOf, signed, statement } from "./approval-records.ts";
import {
  answered,
  bare,
  exchangedIds,
  exchangedRecords,
  recordsFirst,
  used,
  withArgs,
  withCall,
  withProof,
  withRecords,
} from "./change-log.ts";
import { foreign, home, ring, secret, stranger } from "./signers.ts";

/** A change of a log in which two calls wait, the first approved and the second denied. The changed log is recovered. */
export interface Tampering {
  name: string;
  change(log: LogEvent[]): LogEvent[] | Promise<LogEvent[]>;
  /** The conversation to store the log in. */
  into?: Key;
  /** The keys of the installation that recovers. */
  by?: KeyRing;
  /** The change is harmless, so the approved call must run without a question. */
  isControl?: true;
}

export const tamperings: Tampering[] = [
  { name: "control: nothing is changed", change: (log) => log, isControl: true },
  {
    name: "control: a newer key was put before the one that signed",
    change: (log) => log,
    by: createKeyRing([stranger, secret]),
    isControl: true,
  },
  { name: "another disk in the call, the hash as it was", change: (log) => withArgs(log, { disk: "z" }) },
  {
    name: "another disk in the call, and its hash in the records",
    change: async (log) => withRecords(withArgs(log, { disk: "z" }), { hash: await argumentsHash({ disk: "z" }) }),
  },
  { name: "one argument more", change: (log) => withArgs(log, { disk: "a", force: true }) },
  {
    name: "the argument twice in the call's text",
    change: (log) => withCall(log, '{"name":"wipe","args":{"disk":"a","disk":"z"}}'),
  },
  {
    name: "the arguments twice in the call's text",
    change: (log) => withCall(log, '{"name":"wipe","args":{"disk":"a"},"args":{"disk":"z"}}'),
  },
  {
    name: "a prototype in the arguments",
    change: (log) => withCall(log, '{"name":"wipe","args":{"disk":"a","__proto__":{"force":true}}}'),
  },
  {
    name: "another tool with the same arguments",
    change: (log) => withRecords(withCall(log, '{"name":"erase","args":{"disk":"a"}}'), { name: "erase" }),
  },
  {
    name: "another tool, the record of the first",
    change: (log) => withCall(log, '{"name":"erase","args":{"disk":"a"}}'),
  },
  { name: "the ids of both calls exchanged", change: exchangedIds },
  { name: "the ids of both calls' records exchanged", change: exchangedRecords },
  { name: "the refusal turned into an approval", change: (log) => answered(log, "b", { status: "approved" }) },
  {
    name: "the refusal turned into an approval without its reason",
    change: (log) => answered(log, "b", { status: "approved", reason: undefined }),
  },
  {
    name: "the proof of the approval on the refused call",
    change: (log) => answered(log, "b", { status: "approved", reason: undefined, proof: proofOf(log, "a") }),
  },
  {
    name: "the proof and the question of the approval on the refused call",
    change: (log) =>
      answered(log, "b", {
        status: "approved",
        reason: undefined,
        proof: proofOf(log, "a"),
        question: answerOf(log, "a").question,
      }),
  },
  {
    name: "the whole answer of the first call under the id of the second",
    change: (log) => answered(log, "b", { ...answerOf(log, "a"), id: "b" }),
  },
  {
    name: "an approval after the refusal, unsigned",
    change: (log) => [...log, approvalEvent({ ...answerOf(log, "b"), status: "approved", proof: undefined })],
  },
  {
    name: "an approval after the refusal, signed by a stranger",
    change: async (log) => [
      ...log,
      approvalEvent(await signed(foreign, home, { ...answerOf(log, "b"), status: "approved" })),
    ],
  },
  {
    name: "an approval before the refusal, signed by a stranger",
    change: async (log) => {
      const forged = approvalEvent(await signed(foreign, home, { ...answerOf(log, "b"), status: "approved" }));
      return log.flatMap((event): LogEvent[] => (isAnswer(event, "b") ? [forged, event] : [event]));
    },
  },
  { name: "no proof", change: (log) => withProof(log, undefined) },
  { name: "no question and no proof, as older logs have it", change: (log) => bare(log) },
  ...(
    [
      ["null", null],
      ["a text", "yes"],
      ["a number", 1],
      ["true", true],
      ["a list", []],
      ["an empty object", {}],
      ["a proof within a list", [{ key: "k", mac: "0".repeat(64) }]],
    ] as const
  ).map(([name, proof]) => ({
    name: `${name} for a proof`,
    change: (log: LogEvent[]) => withProof(log, proof as unknown as Proof),
  })),
  ...(
    [
      ["zeros", (_: Proof) => "0".repeat(64)],
      ["no digits", (_: Proof) => ""],
      ["letters that are no digits", (_: Proof) => "z".repeat(64)],
      ["half of its digits", ({ mac }: Proof) => mac.slice(0, 32)],
      ["its digits but the last", ({ mac }: Proof) => mac.slice(0, 63)],
      ["its digits in reverse", ({ mac }: Proof) => [...mac].reverse().join("")],
      ["one digit changed", ({ mac }: Proof) => mac.slice(0, 63) + (mac.endsWith("0") ? "1" : "0")],
      ["64 characters that wrap to its bytes", ({ mac }: Proof) => mac.replace(/[0-9]/g, "٣")],
    ] as const
  ).map(([name, mac]) => ({
    name: `a proof of ${name}`,
    change: (log: LogEvent[]) => withProof(log, { ...proofOf(log, "a"), mac: mac(proofOf(log, "a")) }),
  })),
  ...["constructor", "__proto__", "toString", "", "0000000000000000"].map((key) => ({
    name: `a key named "${key}"`,
    change: (log: LogEvent[]) => withProof(log, { ...proofOf(log, "a"), key }),
  })),
  {
    name: "a stranger's mac under the name of this key",
    change: async (log) => {
      const { mac } = proofFrom(await signed(foreign, home, answerOf(log, "a")));
      return withProof(log, { key: proofOf(log, "a").key, mac });
    },
  },
  {
    name: "a stranger's key and mac",
    change: async (log) => withProof(log, proofFrom(await signed(foreign, home, answerOf(log, "a")))),
  },
  { name: "another installation that goes on", change: (log) => log, by: foreign },
  { name: "the key has been retired", change: (log) => log, by: createKeyRing([stranger, `${stranger}!`]) },
  { name: "in another conversation", change: (log) => log, into: { conversation: "d", user: "ada" } },
  { name: "of another user", change: (log) => log, into: { conversation: "c", user: "bob" } },
  { name: "of nobody", change: (log) => log, into: { conversation: "c" } },
  { name: 'of a user named ""', change: (log) => log, into: { conversation: "c", user: "" } },
  { name: 'of a user named "null"', change: (log) => log, into: { conversation: "c", user: "null" } },
  { name: "of a user in other letters", change: (log) => log, into: { conversation: "c", user: "Ada" } },
  { name: "of a user with a space more", change: (log) => log, into: { conversation: "c", user: "ada " } },
  { name: "user and conversation exchanged", change: (log) => log, into: { conversation: "ada", user: "c" } },
  {
    name: "a user that holds the conversation's name",
    change: (log) => log,
    into: { conversation: "c", user: 'ada","conversation":"c' },
  },
  { name: "another question's name in the answer", change: (log) => answered(log, "a", { question: "q" }) },
  { name: "no question's name in the answer", change: (log) => answered(log, "a", { question: undefined }) },
  { name: "a reason that nobody gave", change: (log) => answered(log, "a", { reason: "because" }) },
  {
    name: "the signature of an origin mark for a proof",
    change: async (log) => {
      const { user, conversation } = home;
      return withProof(log, await ring.sign({ purpose: "origin", user: user ?? null, conversation, scope: null }));
    },
  },
  {
    name: "the signature of a message for a proof",
    change: async (log) =>
      withProof(log, await ring.sign({ ...statement(home, answerOf(log, "a")), purpose: "message" })),
  },
  {
    name: "an approval that was used, copied behind a second call like it",
    change: (log) => [...used(log), ...log.filter((event) => event.type === "record" || event.type === "call")],
  },
  {
    name: "an approval that was used, with a second call like it after it",
    change: (log) => [...used(log), ...log.filter((event) => event.type === "call")],
  },
  {
    name: "an idempotent tool that was begun with other arguments",
    change: (log) => [
      ...withArgs(log, { disk: "a" }, "put"),
      { type: "record", kind: "started", data: { id: "a", call: '{"name":"put","args":{"disk":"z"}}' }, timestamp: 9 },
    ],
  },
  {
    name: "a call that was begun as one that may be repeated",
    change: (log) => [
      ...withProof(log, undefined),
      { type: "record", kind: "started", data: { id: "a", call: '{"name":"look","args":{}}' }, timestamp: 9 },
    ],
  },
  {
    name: "a third call under the first one's id",
    change: (log) => [...log, { type: "call", content: '{"name":"wipe","args":{"disk":"z"}}', id: "a", timestamp: 9 }],
  },
  {
    name: "a third call without an id",
    change: (log) => [...log, { type: "call", content: '{"name":"wipe","args":{"disk":"z"}}', timestamp: 9 }],
  },
  { name: "the records before the calls, without proofs", change: (log) => bare(log).toSorted(recordsFirst) },
  { name: "the status in other letters", change: (log) => answered(log, "b", { status: "Approved" as "approved" }) },
  { name: "a status that is true", change: (log) => answered(log, "b", { status: true as unknown as "approved" }) },
  {
    name: "the call's id with a different sign of the same look",
    change: (log) => log.map((event) => (event.type === "call" && event.id === "b" ? { ...event, id: "а" } : event)),
  },
];
