import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Attack } from "../../harness/attack.ts";
import { changesOf, snapshot } from "../../harness/file-calls.ts";
import { changedFile } from "./changed-file.ts";
import type { RestoreRace } from "./restore-races.ts";

/** Undoes a change and takes that back, again and again. Nothing in the folder that the link leads to may change, which holds the same file. */
export function restoreRaceAttack([name, target]: RestoreRace): Attack {
  return {
    name: `race: an undo, and a link to ${name}`,
    isDear: true,
    async run(place) {
      const changed = await changedFile(place);
      const watched = target(place);
      mkdirSync(watched, { recursive: true });
      writeFileSync(join(watched, "a.txt"), "new");
      const worker = new Worker(new URL("../../processes/swap-folders.mjs", import.meta.url), {
        workerData: { place: join(place.root, "docs"), target: watched, longestRest: 30 },
      });
      await new Promise((resolve) => worker.once("message", resolve));
      const before = snapshot(watched);
      try {
        // Most are refused, because they meet the link. Those that are not were in its way.
        for (let restored = 0, round = 0; restored < 10 && round < 200; round++)
          if (await changed.undoLast()) {
            restored++;
          }
      } finally {
        await worker.terminate();
      }
      const all = changesOf(before, snapshot(watched));
      return all.length > 0 ? `changed: ${all.join(", ")}` : undefined;
    },
  };
}
