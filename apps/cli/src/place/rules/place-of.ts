import { isAbsolute, relative, resolve, sep } from "node:path";
import { realPath } from "../../base/files/real-path.ts";

/** Where a path leads, with `/` between names. */
interface Place {
  absolute: string;
  /** Relative to the base, `.` for the base itself; undefined for a place outside of it. */
  relative: string | undefined;
}

/**
 * Follows the path in a call to its place, whether or not something is there. Undefined if the place is uncertain: for a path
 * with `..`, whose meaning changes behind a link, and for a link that leads nowhere.
 */
export function placeOf(base: string, path: string): Place | undefined {
  if (path === "" || path.split(/[\\/]/).includes("..") || (sep === "/" && path.includes("\\"))) return undefined;
  const real = realPath(resolve(base, path));
  const realBase = realPath(resolve(base));
  if (real === undefined || realBase === undefined) return undefined;
  const below = relative(realBase, real);
  const isOutside = below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
  return { absolute: slashed(real), relative: isOutside ? undefined : slashed(below) || "." };
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}
