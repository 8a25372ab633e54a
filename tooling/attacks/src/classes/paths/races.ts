import type { FileCall } from "../../harness/file-calls.ts";

/** Calls in a folder that another thread keeps replacing by a link to `target`. */
export type Race = [name: string, target: string, call: (file: string) => FileCall];

export const races: readonly Race[] = [
  ["to what is guarded", "config", (file) => ({ name: "read", args: { file } })],
  [
    "to what is guarded, written",
    "config",
    (file) => ({ name: "write", args: { file, content: "mine", overwrite: true } }),
  ],
  [
    "to a repository's folder, written",
    "root/.git",
    (file) => ({
      name: "write",
      args: { file: file.replace("key", "config"), content: "mine", overwrite: true },
    }),
  ],
  [
    "to what is outside, edited",
    "config",
    (file) => ({ name: "edit", args: { file, edits: [{ old: "canary", new: "mine" }] } }),
  ],
  ["to what is guarded, searched", "config", () => ({ name: "find", args: { content: "canary" } })],
  [
    "to what is guarded, replaced",
    "config",
    () => ({ name: "replace", args: { find: "canary", with: "mine", path: "way" } }),
  ],
];
