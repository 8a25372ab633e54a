import { rmSync } from "node:fs";
import { sqliteStore } from "@cogency/storage-sqlite";
import type { Attack } from "../../harness/attack.ts";
import { key, textsOf, userEvent } from "./store-file.ts";
import type { TakenFile } from "./taken-files.ts";

/** After an append has resolved, its event must be found by the next process that opens the file. */
export function takenFileAttack([name, take, giveBack]: TakenFile, when: "append" | "after more"): Attack {
  return {
    name: `taken: ${name}, ${when === "append" ? "then one event" : "then many"}`,
    async run(place) {
      const path = place.put("db/store.db");
      rmSync(path);
      const store = await sqliteStore({ path });
      await store.append(key, [userEvent("before")]);
      await take(path, place);
      const acknowledged: string[] = [];
      for (let index = 0; index < (when === "append" ? 1 : 40); index++) {
        try {
          await store.append(key, [userEvent(`after ${index}`)]);
          acknowledged.push(`after ${index}`);
        } catch {
          // The store noticed the change. A later append may succeed again.
        }
      }
      await store.close().catch(() => {});
      if (acknowledged.length === 0) return undefined;
      giveBack?.(path);
      const found = await textsOf(path);
      const lost = acknowledged.filter((text) => !found.includes(text));
      return lost.length > 0 ? `${lost.length} of ${acknowledged.length} acknowledged events are lost` : undefined;
    },
  };
}
