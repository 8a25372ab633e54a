import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { filesBelow } from "../../harness/files-below.ts";

/** Looks at the key that signs approvals, after a run. */
export const keyFile: Attack = {
  name: "key: lies beside no store, is exported nowhere, and only its owner reads it",
  isDear: true,
  async run(place) {
    await place.run([[{ name: "write", args: { file: "a", content: "b" } }]], ["go", "--conversation", "c", "--deny"]);
    const { stdout } = await place.cogency(["history", "export", "--raw"]);
    const beside = filesBelow(join(place.home, ".cogency"));
    const keys = filesBelow(place.home).filter((file) => !beside.includes(file));
    if (keys.length === 0) throw new Error("The app made no key outside of the folder of its store.");
    const problems = keys.flatMap((file) => {
      const bytes = readFileSync(file);
      const words = bytes.toString("latin1").match(/[\w+/=-]{32,}/g) ?? [];
      const open = (statSync(file).mode & 0o077) !== 0 ? [`${file} can be read by others`] : [];
      const told = words.some((word) => stdout.includes(word)) ? [`${file} is in the export`] : [];
      return [...open, ...told];
    });
    return problems.length > 0 ? problems.join("; ") : undefined;
  },
};
