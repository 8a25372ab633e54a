import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Attack } from "../../harness/attack.ts";
import { carryOut, changesOf, snapshot, toldBy } from "../../harness/file-calls.ts";
import { git } from "./git.ts";
import { furnish, hiddenText } from "./guarded-files.ts";
import type { Race } from "./races.ts";

export function raceAttack([name, target, call]: Race): Attack {
  return {
    name: `race: a link ${name}`,
    isDear: true,
    async run(place) {
      const options = furnish(place);
      if (target.endsWith(".git")) git(place, ["init", "-q"]);
      place.put("root/way/key", "hello\n");
      place.put("root/way/config", "hello\n");
      const worker = new Worker(new URL("../../processes/swap-folders.mjs", import.meta.url), {
        workerData: { place: join(place.root, "way"), target: join(place.outer, target) },
      });
      await new Promise((resolve) => worker.once("message", resolve));
      const watched = join(place.outer, target);
      const before = snapshot(watched);
      try {
        const calls = Array.from({ length: 400 }, () => call("way/key"));
        const told = toldBy(await carryOut(calls, { ...options, access: "system" }));
        const changed = changesOf(before, snapshot(watched));
        if (changed.length > 0) return `changed: ${changed.join(", ")}`;
        return told.includes(hiddenText(place)) ? "its content was told" : undefined;
      } finally {
        await worker.terminate();
      }
    },
  };
}
