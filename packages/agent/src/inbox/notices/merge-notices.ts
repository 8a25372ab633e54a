import type { LogEvent, UserEvent } from "@cogency/protocol";
import type { NoticeSource } from "@cogency/protocol/host";
import type { NoticeContent } from "@cogency/storage/adapter";
import type { Content } from "@cogency/tools";
import { contentRecord } from "../../log/held-content.ts";
import { messageRecord, type Received } from "../received.ts";
import { chosenLines, type OutsideLine } from "./outside-lines.ts";
import { outsideText } from "./outside-text.ts";

/** A message that was taken, with how many others of its kind have no record of their own. */
interface Taken {
  readonly received: Received;
  readonly more?: number;
}

export interface MergedNotices {
  /** The records of the messages, one `user` event, and what the notices bring. */
  readonly events: readonly LogEvent[];
  readonly taken: readonly Taken[];
}

/** The most sources that the event lists. */
const mostSources = 20;

/**
 * Makes one event of notices that are read at one moment, in their order: the words of the program whole, then a bounded list of what
 * comes from outside.
 */
export function mergeNotices(notices: readonly Received[], timestamp: number): MergedNotices {
  const latest = latestOfTopics(notices);
  const own = latest.filter(({ received }) => noticeOf(received).source === undefined);
  const lines = latest.flatMap(lineOf);
  const { chosen, left } = chosenLines(lines);
  const content = [
    ...own.map(({ received, count }) => ownText(noticeOf(received).content, count)),
    ...(lines.length > 0 ? [outsideText(chosen, left)] : []),
  ].join("\n\n");
  const sources = sourcesOf([...chosen, ...left]);
  const user: UserEvent = {
    type: "user",
    content: content.toWellFormed(),
    origin: "notice",
    ...(sources.length > 0 && { sources }),
    timestamp,
  };
  const taken = takenOf(notices, new Set([...own, ...chosen].map(({ received }) => received)));
  return {
    taken,
    events: [
      ...taken.map(({ received, more }) => messageRecord(received, timestamp, { more })),
      user,
      ...contentOf(chosen, left).map((held) => contentRecord(held, timestamp)),
      ...notices.flatMap((received) => childRecord(noticeOf(received), timestamp)),
    ],
  };
}

interface Latest {
  readonly received: Received;
  /** How many notices it stands for. */
  readonly count: number;
}

/** The last notice of each topic of each source, at its place, and all without a topic. */
function latestOfTopics(notices: readonly Received[]): Latest[] {
  const counts = new Map<string, number>();
  const latest: Latest[] = [];
  for (const received of notices.toReversed()) {
    const topic = topicOf(noticeOf(received));
    const before = topic === undefined ? undefined : counts.get(topic);
    if (topic !== undefined) counts.set(topic, (before ?? 0) + 1);
    if (before === undefined) latest.push({ received, count: 1 });
  }
  return latest.toReversed().map(({ received }) => {
    const topic = topicOf(noticeOf(received));
    return { received, count: topic === undefined ? 1 : (counts.get(topic) ?? 1) };
  });
}

/** A source cannot take the place of what another one says. What comes of an agent stands for itself. */
function topicOf({ source, topic, child }: NoticeContent): string | undefined {
  return topic === undefined || child ? undefined : JSON.stringify([source ?? null, topic]);
}

function lineOf({ received, count }: Latest): OutsideLine[] {
  const { source, holds, content } = noticeOf(received);
  return source === undefined ? [] : [{ received, source, holds, content, count }];
}

function ownText(content: string, count: number): string {
  return count > 1 ? `${content} (The last of ${count} such notices.)` : content;
}

function sourcesOf(lines: readonly OutsideLine[]): NoticeSource[] {
  const found = new Map<string, NoticeSource>();
  for (const { source, holds, count } of lines) {
    const known = found.get(source);
    const worst = [known?.holds, holds].includes("untrusted") ? "untrusted" : (known?.holds ?? holds);
    found.set(source, { source, count: (known?.count ?? 0) + count, ...(worst && { holds: worst }) });
  }
  return [...found.values()].slice(0, mostSources);
}

/** What the conversation holds from here on. Of lines that are only counted, the first of each kind says it. */
function contentOf(chosen: readonly OutsideLine[], left: readonly OutsideLine[]): Content[] {
  const found = new Map<string, Content>();
  const note = ({ source, holds }: OutsideLine) => {
    if (holds) found.set(JSON.stringify([holds, source]), { holds, source });
  };
  for (const line of chosen) note(line);
  for (const line of left) if (![...found.values()].some(({ holds }) => holds === line.holds)) note(line);
  return [...found.values()];
}

/** Each notice whose words the model reads, and one for all others. */
function takenOf(notices: readonly Received[], read: ReadonlySet<Received>): Taken[] {
  const shown = notices.filter((received) => read.has(received)).map((received) => ({ received }));
  const [first, ...rest] = notices.filter((received) => !read.has(received));
  return first ? [...shown, { received: first, more: rest.length }] : shown;
}

function childRecord({ child }: NoticeContent, timestamp: number): LogEvent[] {
  return child ? [{ type: "record", kind: "child", data: child, timestamp }] : [];
}

function noticeOf({ message }: Received): NoticeContent {
  return message as NoticeContent;
}
