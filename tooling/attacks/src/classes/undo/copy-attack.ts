import type { Attack } from "../../harness/attack.ts";
import { changesOf, snapshot } from "../../harness/file-calls.ts";
import { changedFile } from "./changed-file.ts";
import { type CopyChange, onlyFolder } from "./copies.ts";

/** The file may become what it was, or stay. Nothing else may change. */
export function copyAttack([name, change]: CopyChange): Attack {
  return {
    name: `an undo with ${name}`,
    async run(place) {
      const changed = await changedFile(place);
      change(onlyFolder(changed.copies), place);
      const before = snapshot(place.outer);
      // An entry that cannot be read is not there.
      await changed.restore().catch((error: unknown) => {
        if (!(error instanceof RangeError)) throw error;
      });
      const now = place.text("root/docs/a.txt");
      if (now !== "old" && now !== "new") return `the file holds ${JSON.stringify(now)}`;
      const all = changesOf(before, snapshot(place.outer)).filter((path) => !/^(copies|root\/docs)(\/|$)/.test(path));
      return all.length > 0 ? `changed: ${all.join(", ")}` : undefined;
    },
  };
}
