import { join } from "node:path";
import type { ToolboxOptions } from "@cogency/toolbox";
import { carryOut, changesOf, type FileCall, snapshot, toldBy } from "../../harness/file-calls.ts";
import type { Place } from "../../harness/place.ts";
import { hiddenText } from "./guarded-files.ts";

/** Makes the calls. Returns what they changed or showed of guarded files; undefined if nothing. */
export async function disturbed(
  place: Place,
  options: ToolboxOptions,
  calls: readonly FileCall[],
): Promise<string | undefined> {
  const guarded = [join(place.outer, "config"), join(place.root, ".config", "cogency"), join(place.root, "state")];
  const before = guarded.map((path) => snapshot(path));
  const told = toldBy(await carryOut(calls, options));
  const changed = guarded.flatMap((path, index) =>
    changesOf(before[index] ?? new Map(), snapshot(path)).map((file) => join(path, file)),
  );
  if (changed.length > 0) return `changed: ${changed.join(", ")}`;
  return told.includes(hiddenText(place)) ? "its content was told" : undefined;
}

/** One call of each tool that takes the path of a file or of its folder. */
export function callsAbout(file: string, canary: string): FileCall[] {
  const folder =
    file
      .replace(/\/\.?$/, "")
      .split("/")
      .slice(0, -1)
      .join("/") || ".";
  return [
    { name: "read", args: { file } },
    { name: "find", args: { content: canary.slice(0, 10), path: folder, ignored: true } },
    { name: "edit", args: { file, edits: [{ old: canary, new: "mine" }] } },
    { name: "replace", args: { find: canary, with: "mine", path: folder, ignored: true } },
    { name: "write", args: { file, content: "mine", overwrite: true } },
    { name: "write", args: { file, content: "mine" } },
  ];
}
