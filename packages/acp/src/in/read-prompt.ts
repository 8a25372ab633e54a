import type { ContentBlock, EmbeddedResource } from "@agentclientprotocol/sdk";
import type { Attachment } from "@cogency/protocol";
import { refusal } from "../connection/refusal.ts";
import { isBelow, pathOf } from "./paths.ts";

/** What a person says to the agent. */
export interface Prompt {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Where the part came from that no person vouches for. */
  readonly untrusted: string | undefined;
  /** The files whose content the prompt holds: private, as what a tool reads. */
  readonly private: string | undefined;
}

export interface PromptPlace {
  /** The folders of the session. What lies elsewhere is vouched for by nobody. */
  readonly folders: readonly string[];
  readonly isUntrusted: ((path: string) => boolean) | undefined;
}

/**
 * Reads the blocks of a prompt: texts and links in their order, then the texts of embedded files, each marked with its path; images and
 * other files are attachments.
 *
 * @throws RequestError for a prompt without content, and for a block that the agent does not take
 */
export function readPrompt(blocks: readonly ContentBlock[], place: PromptPlace): Prompt {
  const words: Words[] = [];
  const files: string[] = [];
  const attachments: Attachment[] = [];
  const embedded: string[] = [];
  for (const block of blocks) {
    if (block.type === "text") words.push({ text: block.text, isLink: false });
    else if (block.type === "resource_link") words.push(linkOf(block.name, block.uri));
    else if (block.type === "image") attachments.push(imageOf(block.mimeType, block.data));
    else if (block.type === "audio") throw refusal("params", "This agent takes no audio, as its capabilities say.");
    else {
      const { uri } = block.resource;
      embedded.push(uri);
      words.push(linkOf(nameOf(uri), uri));
      const read = readResource(block);
      if (typeof read === "string") files.push(read);
      else attachments.push(read);
    }
  }
  const text = [joined(words).trim(), ...files].join("\n\n").trim();
  if (text === "" && attachments.length === 0)
    throw refusal("params", "The prompt is empty. Say what the agent should do.");
  const private_ = embedded.length === 0 ? undefined : embedded.join(", ").slice(0, 500);
  return { text, attachments, untrusted: embedded.find((uri) => !isVouchedFor(uri, place)), private: private_ };
}

interface Words {
  readonly text: string;
  readonly isLink: boolean;
}

/** Editors leave it to the agent to keep a link apart from the words beside it. */
function joined(words: readonly Words[]): string {
  return words.reduce((text, next, at) => {
    const isBesideLink = at > 0 && (next.isLink || words[at - 1]?.isLink);
    const isApart = /(^|[\s([{"'`])$/.test(text) || /^([\s)\]}"'`.,;:!?]|$)/.test(next.text);
    return isBesideLink && !isApart ? `${text} ${next.text}` : text + next.text;
  }, "");
}

/** A person vouches for the files of their folders, as for what they type. */
function isVouchedFor(uri: string, { folders, isUntrusted }: PromptPlace): boolean {
  const path = pathOf(uri);
  return path !== undefined && isBelow(path, folders) && isUntrusted?.(path) !== true;
}

function readResource({ resource }: EmbeddedResource): string | Attachment {
  const { uri } = resource;
  if ("text" in resource) return between(pathOf(uri) ?? uri, resource.text);
  const { blob, mimeType } = resource;
  const mediaType = mimeType ?? "application/octet-stream";
  if (mediaType.startsWith("image/")) return imageOf(mediaType, blob);
  checkBase64(blob);
  return { kind: "file", mediaType, data: blob, name: nameOf(uri) };
}

function imageOf(mediaType: string, data: string): Attachment {
  if (!/^image\/[\w.+-]+$/.test(mediaType)) throw refusal("params", "The media type of an image begins with image/.");
  checkBase64(data);
  return { kind: "image", mediaType, data };
}

function checkBase64(data: string): void {
  if (data.length % 4 === 0 && /^[a-z\d+/]*={0,2}$/i.test(data)) return;
  throw refusal("params", "The bytes of an attachment are not base64.");
}

function linkOf(name: string, uri: string): Words {
  return { text: `[@${name}](${pathOf(uri) ?? uri})`, isLink: true };
}

function nameOf(uri: string): string {
  return (pathOf(uri) ?? uri).split(/[\\/]/).findLast((part) => part !== "") ?? uri;
}

/** The text of a file between tags that it does not end itself. */
function between(path: string, text: string): string {
  let tag = "file";
  while (text.includes(`</${tag}`)) tag += "_";
  return `<${tag} path=${JSON.stringify(path)}>\n${text.trimEnd()}\n</${tag}>`;
}
