import type { Attachment, Json } from "@cogency/protocol";

/** Characters of a result or of progress that are shown: as many as a person reads before they would open the whole. */
export const mostCharacters = 4000;

/** Characters of base64 text that the attachments of one result may have together: a picture of 750 kB. */
export const mostAttached = 1_000_000;

/** The value, or the beginning of its text with a last line that says how much is missing. */
export function cut(value: Json): Json {
  const text = typeof value === "string" ? value : `${JSON.stringify(value)}`;
  return text.length <= mostCharacters ? value : cutText(text);
}

function cutText(text: string): string {
  // No half of a character.
  const end = /[\ud800-\udbff]/.test(text.charAt(mostCharacters - 1)) ? mostCharacters - 1 : mostCharacters;
  return `${text.slice(0, end)}\n… ${text.length - end} more characters`;
}

/** The attachments, without the bytes of those for which there is no room: their names say so. */
export function cutAttachments(attachments: readonly Attachment[]): Attachment[] {
  let room = mostAttached;
  return attachments.map((attachment) => {
    const { data, name, mediaType } = attachment;
    if (typeof data !== "string") return attachment;
    if (data.length <= room) {
      room -= data.length;
      return attachment;
    }
    const size = `${Math.ceil((data.length * 3) / 4 / 1000)} kB, left out`;
    return { kind: "file", mediaType: "text/plain", data: "", name: `${name ?? mediaType} (${size})` };
  });
}
