import type { ReadIntent, TextUnit } from "../request/intent.ts";
import { counted, excerpt, subject } from "./phrases.ts";
import { codeFence } from "./quote.ts";

/** The text of a file, or how much of it there is. */
export function readAnswer(intent: ReadIntent, content: string): string {
  const file = subject(intent);
  if (intent.count) return `${file} has ${counted(size(content, intent.count), intent.count.slice(0, -1))}.`;
  if (content === "") return `${file} is empty.`;
  const { text, isWhole } = excerpt(content);
  const title = isWhole ? `${file}:` : `${file} has ${counted(size(content, "lines"), "line")}. It begins:`;
  return `${title}\n\n${codeFence(text)}`;
}

function size(text: string, unit: TextUnit): number {
  switch (unit) {
    case "lines":
      return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
    case "words":
      return text.match(/\S+/g)?.length ?? 0;
    case "characters":
      return [...text].length;
  }
}
