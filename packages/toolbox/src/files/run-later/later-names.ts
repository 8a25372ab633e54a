import { globsOf, installedWhy, projectFiles } from "./later-files.ts";

/**
 * Whether a file or folder with this path may be one that runs later, or hold one, by a name on the path. It is quick, for
 * walks: `runsLater` decides.
 */
export function mayHoldLater(path: string): boolean {
  return path
    .normalize("NFC")
    .toLowerCase()
    .split("/")
    .some((name) => names.has(name) || patterns.test(name));
}

/** The first part of each glob that is not a wildcard for all names. */
const firstNames = projectFiles
  .filter(([what]) => what !== installedWhy)
  .flatMap(([, files]) => globsOf(files))
  .map((glob) => glob.split("/").find((name) => name !== "**") ?? "");
const names = new Set(firstNames.filter((name) => !name.includes("*")));
const patterns = new RegExp(
  `^(?:${firstNames
    .filter((name) => name.includes("*"))
    .map((name) => name.split("*").map(escaped).join("[^/]*"))
    .join("|")})$`,
);

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
