import { styleText } from "node:util";
import { readProfile } from "@cogency/memory";
import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { widthOr } from "../../base/terminal/text.ts";
import { memoryRows } from "../../person/show/memory-rows.ts";
import { isStoreThere, readHistory } from "../../place/store/with-history.ts";

export interface MemoryCommandOptions {
  store: string;
}

/** `cogency memory show`. @throws MemoryError, StoreError */
export async function showMemory({ store: place, json }: MemoryCommandOptions & { json?: true }): Promise<void> {
  const memories = isStoreThere(place)
    ? await readHistory({ store: place }, async (store) => (await readProfile(store, undefined)).profile.memories)
    : [];
  if (json) {
    for (const memory of memories) await putLine(memory);
    return;
  }
  if (memories.length === 0)
    return note(
      "Nothing is remembered of you. cogency memory remember <words> keeps words; once memory is on, it learns from what you say.",
    );
  const { stdout } = process;
  const lines = tableLines(memoryRows(memories), {
    columns: widthOr(stdout, Number.POSITIVE_INFINITY),
    head: ["id", "said", "about", "words", "from"],
    style: (text, _, row) => (row < 0 ? styleText("dim", text, { stream: stdout }) : text),
  });
  await put(`${lines.join("\n")}\n`);
}
