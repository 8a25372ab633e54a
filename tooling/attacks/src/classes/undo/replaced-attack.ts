import type { Attack } from "../../harness/attack.ts";
import { changesOf, snapshot } from "../../harness/file-calls.ts";
import { changedFile } from "./changed-file.ts";
import type { Replacement } from "./replacements.ts";

/** Nothing of what somebody put there may change, and nothing outside of the root. */
export function replacedAttack([name, replace]: Replacement): Attack {
  return {
    name: `a changed file replaced by ${name}`,
    async run(place) {
      const changed = await changedFile(place);
      replace(place);
      const before = snapshot(place.outer);
      await changed.restore();
      const all = changesOf(before, snapshot(place.outer)).filter((path) => !/^copies(\/|$)/.test(path));
      return all.length > 0 ? `changed: ${all.join(", ")}` : undefined;
    },
  };
}
