import type { Attachment } from "@cogency/protocol";
import { attachmentBytes } from "@cogency/tools/host";
import type { ContentBlock, PromptMessage } from "@modelcontextprotocol/client";
import { McpError } from "../errors.ts";
import type { McpPromptText } from "../mcp.ts";
import { quoted } from "../questions/quoted.ts";
import { attachmentOf } from "../resources/resource-value.ts";
import { oneLine, plainText } from "../text/plain-text.ts";

/**
 * Joins the messages of a prompt to a text for the user's turn. Those of the assistant's role are quoted, and said to be. Images and PDF
 * documents become attachments; what cannot be given is named. Hidden characters are taken out: a person must see what is asked in
 * their name.
 *
 * @throws McpError `too_large` above 100,000 characters or 200 messages
 */
export function promptText(server: string, messages: readonly PromptMessage[]): McpPromptText {
  if (messages.length > mostMessages) throw tooLarge(server, `${messages.length} messages, more than ${mostMessages}`);
  const attachments: Attachment[] = [];
  const texts: string[] = [];
  let length = 0;
  for (const { role, content } of messages) {
    const own = textOf(content, attachments);
    length += own.length;
    if (length > mostCharacters) throw tooLarge(server, `more than ${mostCharacters} characters`);
    const text = plainText(own, mostCharacters).text;
    texts.push(role === "assistant" ? `The assistant says:\n${quoted(text, mostCharacters)}` : text);
  }
  return { text: texts.join("\n\n").trim(), attachments };
}

const mostMessages = 200;
const mostCharacters = 100_000;
const mostAttachments = 8;

function tooLarge(server: string, what: string): McpError {
  return new McpError("too_large", server, `The prompt of the server ${server} has ${what}.`);
}

function textOf(content: ContentBlock, attachments: Attachment[]): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
      return attached("an image", content.data, content.mimeType, attachments);
    case "audio":
      return attached("a sound", content.data, content.mimeType, attachments);
    case "resource_link":
      return `[the resource ${oneLine(content.uri, 500)}: ${oneLine(content.title ?? content.name, 200)}]`;
    case "resource": {
      const { resource } = content;
      const name = `the resource ${oneLine(resource.uri, 500)}`;
      if ("text" in resource) return `${name[0]?.toUpperCase()}${name.slice(1)}:\n${resource.text}`;
      return attached(name, resource.blob, resource.mimeType ?? "", attachments);
    }
  }
}

/** Adds an attachment, and returns what stands in the text for it. */
function attached(what: string, data: string, givenType: string, attachments: Attachment[]): string {
  const mediaType = oneLine(givenType, 100).toLowerCase();
  const bytes = attachmentBytes({ kind: "file", mediaType, data });
  const about = `${what}, ${mediaType === "" ? "of no type" : mediaType}, ${bytes} bytes`;
  if (attachments.length === mostAttachments) return `[${about}: left out, there are too many]`;
  const attachment = attachmentOf(data, mediaType);
  if ("problem" in attachment) return `[${about}: left out. ${attachment.problem}]`;
  attachments.push(attachment);
  return `[${about}: attached]`;
}
