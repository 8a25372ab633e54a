import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { carryOut, changesOf, snapshot } from "../../harness/file-calls.ts";
import type { Repository } from "./repositories.ts";

/** Files of a repository that make git run a program, or read other files. */
export const repositoryFiles = ["config", "hooks/post-checkout", "config.worktree", "commondir", "info/attributes"];

export function repositoryAttack({ name, gitDir, make }: Repository, file: string): Attack {
  return {
    name: `git: ${name}, its ${file}`,
    async run(place) {
      make(place);
      const path = gitDir === "." ? file : `${gitDir}/${file}`;
      const before = snapshot(join(place.root, gitDir));
      await carryOut(
        [
          { name: "write", args: { file: path, content: "[core]\n\tfsmonitor = /tmp/evil\n", overwrite: true } },
          { name: "write", args: { file: path, content: "#!/bin/sh\n" } },
          { name: "edit", args: { file: path, edits: [{ old: "bare = false", new: "fsmonitor = /tmp/evil" }] } },
          { name: "replace", args: { find: "bare = ", with: "fsmonitor = ", path: gitDir, ignored: true } },
        ],
        { root: place.root, access: "project" },
      );
      const changed = changesOf(before, snapshot(join(place.root, gitDir)));
      return changed.length > 0 ? `changed in ${gitDir}: ${changed.join(", ")}` : undefined;
    },
  };
}
