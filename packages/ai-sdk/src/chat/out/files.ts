import type { Attachment } from "@cogency/protocol";
import type { FileUIPart } from "ai";

/**
 * An attachment as a file of a message: a `data:` URL, or an address of the Web. Undefined for other addresses, which a page must not
 * follow, and for one whose bytes the view has left out: its name says so.
 */
export function fileOf({ data, mediaType, name }: Attachment): FileUIPart | undefined {
  const url = typeof data === "string" ? dataUrl(mediaType, data) : webUrl(data.url);
  return url === undefined
    ? undefined
    : { type: "file", mediaType, url, ...(name !== undefined && { filename: name }) };
}

function dataUrl(mediaType: string, data: string): string | undefined {
  if (data === "") return undefined;
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : "application/octet-stream";
  return `data:${type};base64,${data}`;
}

function webUrl(url: string): string | undefined {
  return /^https?:\/\//i.test(url) ? url : undefined;
}
