import type { NoticeContent } from "@cogency/storage/adapter";
import { Problem } from "../problem.ts";
import type { NoticeCaller } from "./notice-options.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A notice as its caller posts it. */
export interface PostedNotice {
  readonly id: string;
  readonly content: NoticeContent;
}

/**
 * Reads a notice: what the host says of it, then what stands in the body, if that is JSON.
 *
 * @throws Problem `invalid_request`, which names the field; TypeError for a caller that the host describes wrongly
 */
export function readNotice(request: Request, body: string, caller: NoticeCaller): PostedNotice {
  const { source, holds = "untrusted" } = caller;
  if (!["untrusted", "private", "nothing"].includes(holds)) throw wrongHolds();
  const fields = fieldsOf(body);
  const content = caller.content ?? fields.content;
  const topic = caller.topic ?? fields.topic;
  const wakes = caller.wakes ?? fields.wakes;
  if (typeof content !== "string" || content.trim() === "") throw wrong("content", "give a text that is not empty");
  if (topic !== undefined && (typeof topic !== "string" || topic === "" || topic.length > mostTopic))
    throw wrong("topic", `give a text of 1 to ${mostTopic} characters`);
  if (wakes !== undefined && typeof wakes !== "boolean") throw wrong("wakes", "give true or false");
  return {
    id: noticeId(source, caller.id ?? request.headers.get("idempotency-key") ?? fields.id),
    content: {
      kind: "notice",
      content,
      source,
      ...(holds !== "nothing" && { holds }),
      ...(topic !== undefined && { topic }),
      ...(wakes !== undefined && { wakes }),
    },
  };
}

const mostTopic = 200;

/** An id of this source alone: a caller must not take an id under which somebody else will send. */
function noticeId(source: string, id: unknown): string {
  if (typeof id !== "string" || !/^[\x21-\x7e]{1,128}$/.test(id))
    throw wrong(
      "id",
      "give 1 to 128 visible ASCII characters, also as the header Idempotency-Key, the same for each try",
    );
  return `notice:${encodeURIComponent(source.toWellFormed())}:${id}`;
}

function fieldsOf(body: string): Fields {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
  } catch {
    return {};
  }
}

function wrong(field: string, advice: string): Problem {
  return new Problem("invalid_request", `\`${field}\` of the notice is wrong: ${advice}.`);
}

function wrongHolds(): TypeError {
  return new TypeError('notices.authenticate returned a `holds` that is none of "untrusted", "private" and "nothing".');
}
