import type { LogEvent } from "@cogency/protocol";
import { checkedAttachments } from "@cogency/tools/host";
import { contentRecord } from "../log/held-content.ts";
import { type MergedNotices, mergeNotices } from "./notices/merge-notices.ts";
import { messageRecord, type Received } from "./received.ts";

/** The events of words for the model that are read at one moment, in their order. All notices among them are one, where the first stood. */
export function wordsOf(words: readonly Received[], timestamp: number): MergedNotices {
  const notices = words.filter(isNotice);
  const parts = words.flatMap((received): MergedNotices[] => {
    if (!isNotice(received)) return [{ events: eventsOf(received, timestamp), taken: [{ received }] }];
    return received === notices[0] ? [mergeNotices(notices, timestamp)] : [];
  });
  return { events: parts.flatMap(({ events }) => events), taken: parts.flatMap(({ taken }) => taken) };
}

function isNotice({ message }: Received): boolean {
  return message.kind === "notice";
}

/** The events of words of a person. Without a proof they are text that no person vouches for. */
function eventsOf(received: Received, timestamp: number): LogEvent[] {
  const { message, isProven } = received;
  const { content, attachments: given = [] } = message as { content: string; attachments?: unknown };
  const attachments = checkedAttachments(given, { maxBytes: Number.POSITIVE_INFINITY });
  const words = { content, ...(attachments.length > 0 && { attachments }), timestamp };
  const record = messageRecord(received, timestamp);
  if (isProven) return [record, { type: "user", ...words }];
  const source = `a message${message.from === undefined ? "" : ` from ${message.from}`}`;
  return [
    record,
    { type: "user", ...words, origin: "untrusted" },
    contentRecord({ holds: "untrusted", source }, timestamp),
  ];
}
