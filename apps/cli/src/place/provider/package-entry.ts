/** A target in the `exports` of a package.json (https://nodejs.org/api/packages.html#conditional-exports). */
type Target = string | null | Target[] | { [condition: string]: Target };

/**
 * The file that `import "the-package"` would load, relative to the package's folder; undefined if it exports none.
 * Node itself resolves `import` conditions only for an importer inside of the folder that has the package installed.
 */
export function packageEntry(manifest: { exports?: Target; main?: unknown }): string | undefined {
  const { exports, main } = manifest;
  if (exports === undefined || exports === null) return typeof main === "string" && main !== "" ? main : "index.js";
  return pick(isSubpaths(exports) ? (exports["."] ?? null) : exports);
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

function pick(target: Target): string | undefined {
  if (typeof target === "string") return target;
  if (target === null) return undefined;
  const candidates = Array.isArray(target)
    ? target
    : Object.entries(target).flatMap(([condition, next]) => (conditions.has(condition) ? [next] : []));
  for (const candidate of candidates) {
    const found = pick(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}
