/** A target in the `exports` of a package.json (https://nodejs.org/api/packages.html#conditional-exports). */
type Target = string | null | Target[] | { [condition: string]: Target };

/**
 * The files that `import "the-package"` would load, relative to the package's folder: the first one counts. The condition `cogency` names
 * one that is there before the package is built, such as its TypeScript source; where it is not there, the next one counts.
 * Node itself resolves `import` conditions only for an importer inside of the folder that has the package installed.
 */
export function packageEntries(manifest: { exports?: Target; main?: unknown }): string[] {
  const { exports, main } = manifest;
  if (exports === undefined || exports === null) return [typeof main === "string" && main !== "" ? main : "index.js"];
  const target = isSubpaths(exports) ? (exports["."] ?? null) : exports;
  return [pick(target, new Set(["cogency", ...conditions])), pick(target, conditions)].filter(
    (file) => file !== undefined,
  );
}

function isSubpaths(exports: Target): exports is Record<string, Target> {
  return (
    typeof exports === "object" &&
    exports !== null &&
    !Array.isArray(exports) &&
    Object.keys(exports).some((key) => key.startsWith("."))
  );
}

const conditions = new Set(["node", "import", "module-sync", "default"]);

function pick(target: Target, conditions: ReadonlySet<string>): string | undefined {
  if (typeof target === "string") return target;
  if (target === null) return undefined;
  const candidates = Array.isArray(target)
    ? target
    : Object.entries(target).flatMap(([condition, next]) => (conditions.has(condition) ? [next] : []));
  for (const candidate of candidates) {
    const found = pick(candidate, conditions);
    if (found !== undefined) return found;
  }
  return undefined;
}
