import type { Attachment } from "@cogency/protocol";
import { size } from "../conversation/format.ts";
import { visible } from "../text.ts";
import { tag } from "./tag.ts";

/** A picture that stands in the log, else the name of what was attached. Nothing is fetched. */
export function attachmentView({ kind, mediaType, data, name }: Attachment): HTMLElement {
  const title = visible(name ?? String(mediaType));
  if (kind === "image" && typeof data === "string" && shownTypes.has(mediaType)) {
    const src = `data:${mediaType};base64,${data}`;
    return tag("img", { src, alt: title, loading: "lazy", class: "attachment" });
  }
  const what = typeof data === "string" ? size(data.length) : visible(String(data?.url));
  return tag("p", { class: "fact" }, `attached: ${title} (${visible(String(mediaType))}, ${what})`);
}

const shownTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
