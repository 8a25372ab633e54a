import { type LogEvent, toMessages } from "@cogency/protocol";
import { type NumberedEvent, sentRequest, whyRequest } from "@cogency/protocol/why";
import { canonicalJson, sha256 } from "@cogency/tools/host";
import { describe, expect, it } from "vitest";
import { logOf, recordedConversations } from "./index.ts";

/** Each with the form of the driver that wrote it. */
const chosen = [
  ["one-tool", "json"],
  ["xml-dialect", "xml"],
  ["native-driver", "native"],
  ["react-driver", "react"],
  ["approval-denied", "json"],
  ["attachments", "native"],
  ["refused-block", "json"],
  ["compaction", "json"],
  ["broken-off", "json"],
  ["agent-above", "native"],
  ["killed-in-a-batch", "json"],
  ["steered", "json"],
  ["fork", "json"],
  ["parallel-tools-one-fails", "native"],
  ["untrusted-and-changed-tools", "json"],
  ["notices-from-outside", "json"],
  ["named-point", "json"],
] as const;

type Form = (typeof chosen)[number][1];

interface Asked {
  readonly name: string;
  readonly form: Form;
  /** The log up to the record of the request. */
  readonly log: readonly NumberedEvent[];
}

/** The requests of a conversation: before each step of the model, with a record where the scene stores none. */
function requestsOf(name: string, form: Form): Asked[] {
  const found = recordedConversations.find((one) => one.name === name);
  if (!found) throw new Error(`There is no conversation ${name}.`);
  const log: readonly NumberedEvent[] = logOf(found).filter(
    (event) => event.type !== "record" || event.kind !== "request",
  );
  const isWritten = ({ type }: NumberedEvent) => type === "think" || type === "respond" || type === "call";
  const begins = log.flatMap((event, at) => {
    const before = log.slice(0, at).findLast(({ type }) => type !== "record");
    return isWritten(event) && before && !isWritten(before) ? [at] : [];
  });
  return begins.map((at) => ({ name, form, log: [...log.slice(0, at), requestAt(log, at, form)] }));
}

function requestAt(log: readonly NumberedEvent[], at: number, form: Form): NumberedEvent {
  const messages = { form, count: 0, again: 0, hash: "" };
  const data = {
    driver: "d",
    provider: "p",
    model: "m",
    settings: {},
    messages,
    hashes: { system: "s" },
    system: "Be brief.",
  };
  return { type: "record", kind: "request", data, timestamp: 0, seq: (log[at - 1]?.seq ?? 0) + 0.5 } as NumberedEvent;
}

const requests = chosen.flatMap(([name, form]) => requestsOf(name, form));

/** The same event with other words, if it says some to the model. */
function reworded(event: NumberedEvent): NumberedEvent | undefined {
  const other = "quite other words";
  switch (event.type) {
    case "user":
    case "think":
    case "respond":
      return { ...event, content: other };
    case "call": {
      const call = JSON.parse(event.content) as { name: string };
      return { ...event, content: JSON.stringify({ name: call.name, args: { other } }) };
    }
    case "result": {
      const results = JSON.parse(event.content) as object[];
      return { ...event, content: JSON.stringify(results.map((one) => ({ ...one, content: other }))) };
    }
    case "record":
      if (event.kind === "summary") return { ...event, data: { ...(event.data as object), text: other } };
      if (event.kind === "rejected") return { ...event, data: { ...event.data, message: other } };
      if (event.kind === "native") return { ...event, data: { ...event.data, data: other } };
      return undefined;
    default:
      return undefined;
  }
}

const texts = (log: readonly LogEvent[], form: Form) => toMessages(log, { form }).map((one) => JSON.stringify(one));

describe("why a request was what it was, in recorded conversations", () => {
  it("is asked of at least thirty requests of ten conversations, in every form", () => {
    expect(requests.length).toBeGreaterThanOrEqual(30);
    expect(new Set(requests.map(({ name }) => name)).size).toBeGreaterThanOrEqual(10);
    expect(new Set(requests.map(({ form }) => form))).toEqual(new Set(["json", "xml", "native", "react"]));
  });

  it.each(requests.map((asked, i) => [asked.name, i + 1, asked] as const))(
    "%s, request %i: names for each message the events whose words it holds, and no others",
    (_, __, { form, log }) => {
      const record = log.at(-1) as NumberedEvent;
      const earlier = log.slice(0, -1);
      const parts = whyRequest(log, record.seq)?.parts.filter(({ kind }) => kind === "message") ?? [];
      const before = texts(earlier, form);
      expect(parts.map(({ identity }) => identity)).toEqual(before);
      for (const [at, event] of earlier.entries()) {
        const other = reworded(event);
        if (!other) continue;
        const after = texts(earlier.with(at, other), form);
        const changed = before.flatMap((text, i) => (text === after[i] ? [] : [i]));
        const named = parts.flatMap(({ events }, i) => (events.includes(event.seq) ? [i] : []));
        expect({ seq: event.seq, named }).toEqual({ seq: event.seq, named: changed });
      }
    },
  );

  it.each(requests.map((asked, i) => [asked.name, i + 1, asked] as const))(
    "%s, request %i: an event that no message names and no summary stands for could be missing",
    (_, __, { form, log }) => {
      const record = log.at(-1) as NumberedEvent;
      const earlier = log.slice(0, -1);
      const parts = whyRequest(log, record.seq)?.parts ?? [];
      const named = new Set(parts.flatMap(({ events }) => events));
      const upTo = parts.find(({ standsFor }) => standsFor)?.standsFor?.to ?? 0;
      const before = texts(earlier, form);
      for (const [at, event] of earlier.entries()) {
        if (named.has(event.seq) || event.seq <= upTo) continue;
        expect({ seq: event.seq, after: texts(earlier.toSpliced(at, 1), form) }).toEqual({
          seq: event.seq,
          after: before,
        });
      }
    },
  );

  it.each(["named-point", "notices-from-outside", "one-tool", "xml-dialect", "native-driver", "react-driver"])(
    "%s: each request that was recorded is put together byte for byte",
    async (name) => {
      const log = logOf(
        recordedConversations.find((one) => one.name === name) as (typeof recordedConversations)[number],
      );
      const seqs = log.flatMap((event) => (event.type === "record" && event.kind === "request" ? event.seq : []));
      expect(seqs.length).toBeGreaterThanOrEqual(2);
      for (const seq of seqs) {
        const sent = sentRequest(log, seq);
        // A driver that asks again within a step makes messages of its own.
        if (seq !== seqs[0] && sent?.messages === undefined) continue;
        const messages = sent?.messages?.map(({ message }) => message) ?? [];
        expect(messages).toHaveLength(sent?.count ?? -1);
        const rest = JSON.parse(JSON.stringify(messages.slice(sent?.again)));
        expect(await sha256(canonicalJson(rest))).toBe(sent?.data.messages.hash);
      }
    },
  );
});
