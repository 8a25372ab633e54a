import { createClient } from "@cogency/client";
import type { Follow } from "../follow.ts";

/** The conversation of the page, without a screen. */
export const followCogency: Follow = async (url, id, fetch, onText) => {
  const talk = createClient({ url: `${url}/api`, fetch }).conversation(id);
  const text = () => talk.snapshot.parts.flatMap((part) => (part.type === "text" ? part.content : [])).join("");
  const stop = talk.subscribe(() => onText(text(), talk.snapshot.status === "idle"));
  return { send: (words) => talk.send(words), stop };
};
