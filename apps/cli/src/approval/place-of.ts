import { isAbsolute, relative, resolve, sep } from "node:path";
import { realPath } from "../setup/real-path.ts";

/** Where a path leads, with `/` between names. */
interface Place {
  absolute: string;
  /** From the base on, `.` for the base itself; undefined where it lies elsewhere. */
  relative: string | undefined;
}

/**
 * Where the path in a call leads, links followed, whether or not something is there. Undefined where that cannot be said:
 * for a path with `..`, which means something else behind a link, and for a link that leads nowhere.
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
