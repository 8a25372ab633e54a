import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { carryOut, type FileCall } from "../../harness/file-calls.ts";
import type { Place } from "../../harness/place.ts";
import type { LaterEdit } from "./later-edits.ts";

export function laterPathAttack(path: string): Attack {
  return {
    name: `later: ${path}`,
    async run(place) {
      const calls: FileCall[] = [{ name: "write", args: { file: path, content: "run: evil\n" } }];
      return unquestioned(place, calls, () => place.text(`root/${path}`) !== undefined);
    },
  };
}

export function laterEditAttack([name, before, path, calls]: LaterEdit): Attack {
  return {
    name: `later: ${name}`,
    run(place) {
      place.put("root/src/a.txt", "hello\n");
      place.put(`root/${path}`, before);
      if (path === ".husky/pre-commit") symlinkSync(".husky", join(place.root, "docs"));
      return unquestioned(place, calls, () => place.text(`root/${path}`) !== before);
    },
  };
}

/** Makes the calls with a rule that allows the tool, and denies every question. So a write that happened did not ask. */
export async function unquestioned(
  place: Place,
  calls: readonly FileCall[],
  isThere: () => boolean,
): Promise<string | undefined> {
  await carryOut(
    calls,
    { root: place.root, access: "project" },
    { policy: { otherwise: "allow" }, approve: async () => false },
  );
  return isThere() ? "written without a question" : undefined;
}
