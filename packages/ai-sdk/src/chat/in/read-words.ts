import type { Attachment, ToolSpec } from "@cogency/protocol";
import { Problem } from "@cogency/server";
import type { MessageContent } from "@cogency/storage";
import { checkedAttachments } from "@cogency/tools/host";
import { fieldsOf, wrong } from "./wrong.ts";

/** A message of the user. */
export interface ChatWords {
  readonly type: "words";
  /** `useChat` makes it, and it is the id of the message of the inbox. */
  readonly id: string;
  readonly content: Extract<MessageContent, { kind: "prompt" }>;
}

/** @throws Problem `invalid_request` */
export function readWords({ id, parts }: Readonly<Record<string, unknown>>, tools: unknown): ChatWords {
  if (typeof id !== "string" || !/^[\x21-\x7e]{1,128}$/.test(id))
    throw wrong("messages", "the id of the last one must have 1 to 128 visible ASCII characters");
  if (!Array.isArray(parts)) throw wrong("messages", "the last one needs an array of parts");
  if (parts.length > mostParts) throw wrong("messages", `the last one has more than ${mostParts} parts`);
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const part of parts.map(fieldsOf)) {
    if (part.type === "text" && typeof part.text === "string") texts.push(part.text);
    else if (part.type === "file") attachments.push(attachmentOf(part));
    // What an application keeps beside, for its own screen.
    else if (!`${part.type}`.startsWith("data-"))
      throw wrong("messages", "a message of the user has parts of the types text and file");
  }
  const content = texts.join("\n");
  if (content.trim() === "" && attachments.length === 0) throw wrong("messages", "the last one is empty");
  return {
    type: "words",
    id,
    content: {
      kind: "prompt",
      content,
      ...(attachments.length > 0 && { attachments: checked(attachments) }),
      ...toolsOf(tools),
    },
  };
}

const mostParts = 1000;

function attachmentOf({ url, mediaType, filename }: Readonly<Record<string, unknown>>): Attachment {
  if (typeof url !== "string" || typeof mediaType !== "string" || mediaType.length > longestName)
    throw wrong("messages", "a file needs a url and a mediaType");
  const name = typeof filename === "string" ? { name: filename.slice(0, longestName) } : {};
  const kind = mediaType.startsWith("image") ? "image" : "file";
  return { kind, mediaType, data: dataOf(url), ...name };
}

const longestName = 256;

/** Before anything is posted: new words give up what waits for a person, and words that are refused must not. */
function checked(attachments: readonly Attachment[]): readonly Attachment[] {
  try {
    return checkedAttachments(attachments);
  } catch (cause) {
    throw new Problem("invalid_request", (cause as Error).message, { cause });
  }
}

function dataOf(url: string): Attachment["data"] {
  const comma = url.indexOf(",");
  if (/^data:/i.test(url) && /;base64$/i.test(url.slice(0, comma))) return url.slice(comma + 1);
  if (/^https:\/\//i.test(url) && url.length <= longestUrl) return { url };
  throw wrong("messages", "the url of a file must be a data: URL in base64, or an https: address");
}

const longestUrl = 8192;

/** The tools that the page brings. What they must be, the agent says. */
function toolsOf(tools: unknown): { tools?: readonly ToolSpec[] } {
  if (tools === undefined || tools === null) return {};
  if (!Array.isArray(tools)) throw wrong("tools", "give an array of { name, description, parameters }");
  return tools.length === 0 ? {} : { tools: tools as readonly ToolSpec[] };
}
