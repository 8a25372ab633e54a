import { join } from "node:path";
import type { ToolboxOptions } from "@cogency/toolbox";
import type { Place } from "../../harness/place.ts";

/** The guarded files of the host, some of them in the root. Each contains the canary. */
export const targets = [
  "root/state/cogency.db",
  "root/state/cogency.db-wal",
  "root/state/cogency.db-journal",
  "root/.config/cogency/key",
  "config/key",
] as const;

export type Target = (typeof targets)[number];

export function furnish(place: Place, { missing }: { missing?: string } = {}): ToolboxOptions & { guarded: string[] } {
  for (const target of targets) {
    if (target !== missing) place.put(target, `${place.canary} ${hiddenText(place)}\n`);
  }
  place.put("root/notes.txt", "hello\n");
  place.put("root/src/a.txt", "hello\n");
  const below = (path: string) => join(place.outer, path);
  return {
    root: place.root,
    access: "system",
    guarded: [
      ...["", "-wal", "-shm", "-journal"].map((end) => below(`root/state/cogency.db${end}`)),
      below("root/.config/cogency"),
      below("config"),
    ],
  };
}

/** A text that guarded files contain and calls do not. */
export function hiddenText({ canary }: Place): string {
  return [...canary].reverse().join("");
}
