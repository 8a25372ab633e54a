import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { carryOut, changesOf, type FileCall, snapshot } from "../../harness/file-calls.ts";

/** Paths by which a tool would make or change the configuration of the app, though all its calls are allowed. */
export const obeyedPaths: readonly string[] = [
  ".cogency/config.json",
  "x/.cogency/config.json",
  "x/y/z/.cogency/rules.json",
  ".COGENCY/config.json",
  ".cog\u200cency/config.json",
  "way/config.json",
  "src/../.cogency/new.json",
  ".cogency",
];

export function obeyedPathAttack(path: string): Attack {
  return {
    name: `a tool changes ${JSON.stringify(path)}`,
    async run(place) {
      place.put("root/.cogency/config.json", '{"model":"old"}');
      symlinkSync(".cogency", join(place.root, "way"));
      const before = snapshot(place.root);
      const calls: FileCall[] = [
        { name: "write", args: { file: path, content: "evil", overwrite: true } },
        { name: "edit", args: { file: path, edits: [{ old: "old", new: "evil" }] } },
        { name: "replace", args: { find: "old", with: "evil", ignored: true } },
      ];
      await carryOut(calls, { root: place.root, access: "project" });
      const changed = changesOf(before, snapshot(place.root));
      return changed.length > 0 ? `changed: ${changed.join(", ")}` : undefined;
    },
  };
}
