import type { Attachment, Json } from "@cogency/protocol";
import type { MessageContent } from "@cogency/storage";
import { checkedAttachments } from "@cogency/tools/host";
import { Problem } from "../problem.ts";

type Body = Readonly<Record<string, unknown>>;

/** A message as its sender posts it. */
export interface PostedMessage {
  id: string;
  content: MessageContent;
  /** The rule that is to be kept with an approval, and the question that offers it. */
  rule?: { question: string; text: string };
}

/**
 * Reads a message. Further fields are refused: a sender must not choose its own name (`from`), nor bring a signature (`proof`).
 *
 * @throws Problem `invalid_request`, which names the field
 */
export function readMessage(body: Body): PostedMessage {
  const { id, kind } = body;
  if (typeof id !== "string" || !/^[\x21-\x7e]{1,128}$/.test(id))
    throw wrong("id", "give 1 to 128 visible ASCII characters, unique in this conversation, such as a UUID");
  const read = typeof kind === "string" ? kinds.get(kind) : undefined;
  if (!read) throw wrong("kind", `give one of ${[...kinds.keys()].join(", ")}`);
  const { fields, contentOf, ruleOf } = read;
  const unknown = Object.keys(body).find((name) => !["id", "kind", ...fields].includes(name));
  if (unknown !== undefined) throw wrong(unknown.slice(0, 40), `a message of the kind ${kind} has no such field`);
  const rule = ruleOf?.(body);
  return { id, content: contentOf(body), ...(rule && { rule }) };
}

interface Kind {
  fields: readonly string[];
  contentOf(body: Body): MessageContent;
  ruleOf?(body: Body): PostedMessage["rule"];
}

const wordsOf = (kind: "prompt" | "steer"): Kind => ({
  fields: ["content", "attachments"],
  contentOf(body) {
    const attachments = attachmentsOf(body);
    const content = textOf(body, "content");
    if (content.trim() === "" && attachments.length === 0) throw wrong("content", "it is empty");
    return { kind, content, ...(attachments.length > 0 && { attachments }) };
  },
});

const decisionOf = (kind: "approve" | "deny"): Kind => ({
  fields: ["question", "reason"],
  contentOf: (body) => ({ kind, question: textOf(body, "question"), ...reasonOf(body) }),
});

const kinds: ReadonlyMap<string, Kind> = new Map([
  ["prompt", wordsOf("prompt")],
  ["steer", wordsOf("steer")],
  [
    "approve",
    {
      ...decisionOf("approve"),
      fields: ["question", "reason", "rule"],
      ruleOf: (body) =>
        body.rule === undefined ? undefined : { question: textOf(body, "question"), text: textOf(body, "rule") },
    },
  ],
  ["deny", decisionOf("deny")],
  [
    "answer",
    {
      fields: ["question", "content"],
      contentOf: (body) => ({ kind: "answer", question: textOf(body, "question"), content: jsonOf(body) }),
    },
  ],
  ["cancel", { fields: ["reason"], contentOf: (body) => ({ kind: "cancel", ...reasonOf(body) }) }],
]);

function textOf(body: Body, name: string): string {
  const text = body[name];
  if (typeof text !== "string") throw wrong(name, "give a text");
  return text;
}

function reasonOf(body: Body): { reason?: string } {
  return body.reason === undefined ? {} : { reason: textOf(body, "reason") };
}

function attachmentsOf({ attachments = [] }: Body): readonly Attachment[] {
  try {
    return checkedAttachments(attachments);
  } catch (cause) {
    throw new Problem("invalid_request", (cause as Error).message, { cause });
  }
}

function jsonOf({ content }: Body): Json {
  if (content === undefined) throw wrong("content", "give the answer");
  if (isDeeperThan(content, deepest)) throw wrong("content", `it is nested more than ${deepest} levels deep`);
  return content as Json;
}

/** As deep as arguments may be (protocol.md P15). */
const deepest = 256;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

function wrong(field: string, advice: string): Problem {
  return new Problem("invalid_request", `\`${field}\` of the message is wrong: ${advice}.`);
}
