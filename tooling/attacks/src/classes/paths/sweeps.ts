import type { Attack } from "../../harness/attack.ts";
import type { FileCall } from "../../harness/file-calls.ts";
import type { Place } from "../../harness/place.ts";
import { disturbed } from "./disturbed.ts";
import { furnish } from "./guarded-files.ts";

/** Calls that name no guarded file but would reach one. */
type Sweep = [name: string, access: "project" | "system", calls: (place: Place) => FileCall[]];

export const sweeps: readonly Sweep[] = [
  ["find everything in the root", "project", ({ canary }) => [{ name: "find", args: { content: canary } }]],
  [
    "find by expression",
    "project",
    () => [{ name: "find", args: { content: "canary[0-9a-f]+", regex: true, ignored: true } }],
  ],
  [
    "find in all of the system's",
    "system",
    ({ canary, outer }) => [{ name: "find", args: { content: canary, path: outer } }],
  ],
  ["find by a glob", "project", ({ canary }) => [{ name: "find", args: { content: canary, pattern: "**/*.db*" } }]],
  ["find from above", "system", ({ canary }) => [{ name: "find", args: { content: canary, path: ".." } }]],
  ["replace in the root", "project", ({ canary }) => [{ name: "replace", args: { find: canary, with: "x" } }]],
  [
    "replace by expression",
    "project",
    () => [{ name: "replace", args: { find: "canary[0-9a-f]+", with: "x", regex: true, ignored: true } }],
  ],
  [
    "replace what it would be, dry",
    "project",
    ({ canary }) => [{ name: "replace", args: { find: canary, with: "x", dryRun: true } }],
  ],
  [
    "replace in all of the system's",
    "system",
    ({ canary, outer }) => [{ name: "replace", args: { find: canary, with: "x", path: outer } }],
  ],
  [
    "replace empty lines",
    "project",
    () => [{ name: "replace", args: { find: "\n", with: "\n\n", pattern: "*", ignored: true } }],
  ],
  [
    "edit that fails and shows what is near",
    "project",
    () => [{ name: "edit", args: { file: "state/cogency.db", edits: [{ old: "canary0000", new: "x" }] } }],
  ],
  [
    "a file where a guarded folder is",
    "project",
    () => [{ name: "write", args: { file: ".config/cogency", content: "x", overwrite: true } }],
  ],
  [
    "a file below a guarded file",
    "project",
    () => [{ name: "write", args: { file: "state/cogency.db/x", content: "x" } }],
  ],
  [
    "a new file in a guarded folder",
    "project",
    () => [{ name: "write", args: { file: ".config/cogency/new", content: "x" } }],
  ],
  [
    "a new folder in a guarded folder",
    "project",
    () => [{ name: "write", args: { file: ".config/cogency/a/b/new", content: "x" } }],
  ],
  ["read a page of it", "project", () => [{ name: "read", args: { file: "state/cogency.db", from: 1, lines: 1 } }]],
];

export function sweepAttack([name, access, calls]: Sweep): Attack {
  return {
    name: `sweep: ${name}`,
    run: (place) => disturbed(place, { ...furnish(place), access }, calls(place)),
  };
}
