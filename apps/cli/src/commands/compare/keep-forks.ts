import type { Comparison } from "@cogency/rerun";
import type { Store } from "@cogency/storage";
import { scopeOfLog } from "../../base/scope-of-log.ts";
import { noteCommand } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";

/** Stores the conversation of each variant, as a fork of the one that was compared, with a title that names the variant. */
export async function keepForks(comparisons: readonly Comparison[], store: Store): Promise<void> {
  for (const { variants, prompt } of comparisons) {
    for (const { name, fork } of variants) {
      const timestamp = fork.log.at(-1)?.timestamp ?? 0;
      const title = {
        type: "record",
        kind: "title",
        data: { text: oneLine(`${name}: ${prompt}`, 80) },
        timestamp,
      } as const;
      const scope = scopeOfLog(fork.log);
      const events = fork.log.map(({ seq: _, ...event }) => event);
      await store.append({ conversation: fork.conversation }, [...events, title], { expected: 0, scope });
      noteCommand(`kept ${fork.conversation}`);
    }
  }
}
