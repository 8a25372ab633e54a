import type { Attachment } from "@cogency/protocol";
import { valueText } from "../value-text.ts";

/** What attachments may be. */
export interface AttachmentLimits {
  /** Bytes of one attachment. Defaults to 20 MiB. An address counts as none. */
  maxBytes?: number | undefined;
  /** The kinds that the model takes. Defaults to all. */
  kinds?: readonly Attachment["kind"][] | undefined;
}

/**
 * Copies attachments from outside, after it has checked them.
 *
 * @throws TypeError for a value that is no list of attachments, or whose base64 text or address is malformed; RangeError for an
 * empty attachment, one that is too large, and one of a kind that the model does not take
 */
export function checkedAttachments(given: unknown, limits: AttachmentLimits = {}): readonly Attachment[] {
  if (!Array.isArray(given)) throw new TypeError(`The attachments are ${valueText(given)}; give an array.`);
  return given.map((one, index) => checked(one, `attachment ${index + 1}`, limits));
}

function checked(given: unknown, place: string, { maxBytes = usualMaxBytes, kinds }: AttachmentLimits): Attachment {
  if (typeof given !== "object" || given === null) {
    throw new TypeError(`The ${place} is ${valueText(given)}; give an object with kind, mediaType and data.`);
  }
  const { kind, mediaType, data, name } = given as { readonly [field in keyof Attachment]?: unknown };
  if (name !== undefined && typeof name !== "string") {
    throw new TypeError(`The name of ${place} is ${valueText(name)}; give a string.`);
  }
  const what = name === undefined ? place : `${place}, ${valueText(name)},`;
  if (kind !== "image" && kind !== "file") {
    throw new TypeError(`The kind of ${what} is ${valueText(kind)}; give "image" or "file".`);
  }
  const isType = typeof mediaType === "string" && (kind === "image" ? imageType : anyType).test(mediaType);
  if (!isType) {
    const example = kind === "image" ? "image/png" : "application/pdf";
    throw new TypeError(`The mediaType of ${what} is ${valueText(mediaType)}; give one such as "${example}".`);
  }
  if (kinds && !kinds.includes(kind)) {
    const taken = kinds.length === 0 ? "no attachments" : `only attachments of the kind ${kinds.join(", ")}`;
    throw new RangeError(`The model takes ${taken}, and ${what} is of the kind ${kind}.`);
  }
  return {
    kind,
    mediaType,
    data: typeof data === "object" && data !== null ? addressIn(data, what) : bytesIn(data, what, maxBytes),
    ...(name !== undefined && { name: name.toWellFormed() }),
  };
}

const imageType = /^image\/[\w.+-]+$/i;
const anyType = /^[a-z]+\/[\w.+-]+$/i;
const usualMaxBytes = 20 * 1024 * 1024;

function addressIn(data: object, what: string): { url: string } {
  const { url } = data as { url?: unknown };
  const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  if (typeof url !== "string" || !address || !/^https?:$/.test(address.protocol)) {
    throw new TypeError(`The url of ${what} is ${valueText(url)}; give an http address, or base64 text as \`data\`.`);
  }
  if (address.username !== "" || address.password !== "") {
    throw new TypeError(
      `The url of ${what} holds a user name or a password, which the log would keep. Leave them out.`,
    );
  }
  return { url };
}

function bytesIn(data: unknown, what: string, maxBytes: number): string {
  if (typeof data !== "string") {
    throw new TypeError(`The data of ${what} is ${valueText(data)}; give base64 text, or { url }.`);
  }
  if (data.startsWith("data:")) {
    throw new TypeError(`The data of ${what} is a data: address; give only the base64 text after its comma.`);
  }
  if (data === "") throw new RangeError(`The data of ${what} is empty.`);
  // Searched from the first character that is none of the alphabet: a pattern of the whole text would need memory for each one.
  const end = data.search(/[^A-Za-z0-9+/]/);
  const padding = end === -1 ? "" : data.slice(end);
  if (data.length % 4 !== 0 || (padding !== "" && padding !== "=" && padding !== "==")) {
    const where = padding.length > 2 ? ` Character ${end + 1} cannot stand in it.` : "";
    throw new TypeError(`The data of ${what} is not base64 text with its padding.${where}`);
  }
  const bytes = base64Bytes(data);
  if (bytes > maxBytes) {
    throw new RangeError(`The ${what} has ${bytes} bytes, and at most ${maxBytes} are allowed. Make it smaller.`);
  }
  return data;
}

/** The number of bytes that an attachment brings into a request: 0 for an address. */
export function attachmentBytes({ data }: Attachment): number {
  return typeof data === "string" ? base64Bytes(data) : 0;
}

function base64Bytes(text: string): number {
  return (text.length / 4) * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
}
