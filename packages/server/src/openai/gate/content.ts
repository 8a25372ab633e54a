import type { Attachment } from "@cogency/protocol";
import { unsupported, wrong } from "../wire-problem.ts";
import { type Fields, fieldOf, listAt, objectAt, textIn, textOrNothing } from "./fields.ts";

/** The content of a message: a text, or parts of it. */
export interface Content {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/**
 * Reads the content of a message of either wire. Texts are joined by empty lines.
 *
 * @throws WireProblem for a part that no agent takes, such as audio, or the id of an uploaded file
 */
export function contentAt(value: unknown, param: string): Content {
  if (value === undefined || value === null) return { text: "", attachments: [] };
  if (typeof value === "string") return { text: value, attachments: [] };
  const parts = listAt(value, param).map((part, index) => partAt(part, `${param}[${index}]`));
  return {
    text: parts.flatMap((part) => (typeof part === "string" ? part : [])).join("\n\n"),
    attachments: parts.flatMap((part) => (typeof part === "string" ? [] : part)),
  };
}

/** Reads content that can only be text. */
export function textAt(value: unknown, param: string): string {
  const { text, attachments } = contentAt(value, param);
  if (attachments.length > 0) throw unsupported(param, "only text can stand here");
  return text;
}

function partAt(value: unknown, param: string): string | Attachment {
  const part = objectAt(value, param);
  const read = readers.get(textIn(part, "type", `${param}.`));
  if (!read) throw unsupported(`${param}.type`, "give text, images or files");
  return read(part, `${param}.`);
}

const text = (part: Fields, place: string) => textIn(part, "text", place);

type Read = (part: Fields, place: string) => string | Attachment;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["text", text],
  ["input_text", text],
  ["output_text", text],
  ["refusal", (part, place) => textIn(part, "refusal", place)],
  ["image_url", (part, place) => imageAt(objectAt(part.image_url, `${place}image_url`), "url", `${place}image_url.`)],
  ["input_image", (part, place) => imageAt(part, "image_url", place)],
  ["file", (part, place) => fileAt(objectAt(part.file, `${place}file`), `${place}file.`)],
  ["input_file", fileAt],
]);

function imageAt(part: Fields, name: string, place: string): Attachment {
  checkNoUpload(part, place);
  const url = textIn(part, name, place);
  const data = dataOf(url);
  if (data) return { kind: "image", ...data };
  const [, ending = ""] = /\.(\w+)$/.exec(addressAt(url, `${place}${name}`).pathname) ?? [];
  const kind = ending.toLowerCase();
  return { kind: "image", mediaType: `image/${imageTypes.has(kind) ? kind : "jpeg"}`, data: { url } };
}

const imageTypes: ReadonlySet<string> = new Set(["png", "gif", "webp", "avif", "bmp"]);

function fileAt(part: Fields, place: string): Attachment {
  checkNoUpload(part, place);
  const filename = textOrNothing(part, "filename", place);
  const named = filename === undefined ? {} : { name: filename };
  const url = textOrNothing(part, "file_url", place);
  if (url !== undefined) {
    addressAt(url, `${place}file_url`);
    return { kind: "file", mediaType: "application/pdf", data: { url }, ...named };
  }
  const data = dataOf(textIn(part, "file_data", place));
  if (!data)
    throw wrong(`${place}file_data`, 'give a data URL with base64 text, such as "data:application/pdf;base64,…"');
  return { kind: "file", ...data, ...named };
}

function checkNoUpload(part: Fields, place: string): void {
  if (fieldOf(part, "file_id") !== undefined)
    throw unsupported(`${place}file_id`, "no files are kept here; send the file itself");
}

function addressAt(url: string, param: string): URL {
  const address = URL.parse(url);
  if (address?.protocol !== "https:") throw wrong(param, "give an https address, or a data URL with base64 text");
  return address;
}

/** What a data URL holds; undefined for a text that is none. Whether the base64 text can be read is checked by the agent. */
function dataOf(url: string): { mediaType: string; data: string } | undefined {
  const end = url.slice(0, 200).indexOf(";base64,");
  if (!url.startsWith("data:") || end === -1) return undefined;
  const [mediaType = ""] = url.slice("data:".length, end).split(";");
  return { mediaType, data: url.slice(end + ";base64,".length) };
}
