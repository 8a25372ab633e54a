import type { LogEvent, Proof } from "@cogency/protocol";
import { proofOf } from "./approval-records.ts";
import { interrupted, originMark } from "./approved-log.ts";
import { foreign, home, ring } from "./signers.ts";

/** Marks at the beginning of a log that claim that it began here and holds nothing untrusted. */
export interface Origin {
  name: string;
  marks(): Promise<LogEvent[]> | LogEvent[];
  scope?: string;
  isControl?: true;
}

const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 0 };

export const origins: Origin[] = [
  { name: "control: its own mark", marks: async () => [await originMark(ring, home)], isControl: true },
  { name: "no mark", marks: () => [] },
  { name: "a stranger's mark", marks: async () => [await originMark(foreign, home)] },
  {
    name: "the mark of another conversation",
    marks: async () => [await originMark(ring, { ...home, conversation: "d" })],
  },
  { name: "the mark of another user", marks: async () => [await originMark(ring, { ...home, user: "bob" })] },
  { name: "the mark of the anonymous user", marks: async () => [await originMark(ring, { conversation: "c" })] },
  { name: "a mark that tells another scope", marks: async () => [await originMark(ring, home, "/here", "/there")] },
  {
    name: "a mark that tells a scope it was not signed with",
    marks: async () => [await originMark(ring, home, undefined, "/x")],
  },
  {
    name: "a mark as the second record",
    marks: async () => [{ type: "record", kind: "usage", data: zero, timestamp: 1 }, await originMark(ring, home)],
  },
  {
    name: "a stranger's mark before its own",
    marks: async () => [await originMark(foreign, home), await originMark(ring, home)],
  },
  {
    name: "a mark without a proof",
    marks: () => [{ type: "record", kind: "origin", data: {} as { proof: Proof }, timestamp: 1 }],
  },
  {
    name: "a mark whose proof is null",
    marks: () => [{ type: "record", kind: "origin", data: { proof: null as unknown as Proof }, timestamp: 1 }],
  },
  {
    name: "the proof of an approval in a mark",
    marks: async () => {
      const log = await interrupted(ring);
      return [{ type: "record", kind: "origin", data: { proof: proofOf(log, "a") }, timestamp: 1 }];
    },
  },
  {
    name: "a content record that says there is none",
    marks: () => [{ type: "record", kind: "content", data: { holds: "none" as "private", source: "" }, timestamp: 1 }],
  },
];
