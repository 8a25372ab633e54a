import type { Memory } from "@cogency/memory";
import { oneLine } from "../../base/terminal/text.ts";
import { when } from "./when.ts";

/** Memories as rows for a person: the id, when it was said, what it is about, the words, and where they are from. */
export function memoryRows(memories: readonly Memory[]): readonly (readonly string[])[] {
  return memories.map(({ id, said, about, words, from, scope }) => [
    id,
    when(said),
    about,
    oneLine(words, 300),
    [from ? oneLine(from.conversation, 40) : "typed by you", scope && `in ${oneLine(scope, 80)}`]
      .filter(Boolean)
      .join(", "),
  ]);
}

/** What forgetting leaves. */
export const wordsStay =
  "The words still stand in the conversations where you said them: cogency history delete removes those.";
