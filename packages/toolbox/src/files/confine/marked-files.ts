import { relative, sep } from "node:path";
import { compileGlob } from "../glob.ts";
import { isInside } from "../guard/is-inside.ts";

/**
 * Compiles the globs by which the host marks files. A glob that begins with `/` is compared with absolute paths, any other with
 * paths below `base`. A glob that matches a folder marks everything in it. Letter case is ignored.
 *
 * @param base a real path
 * @returns takes a real path
 * @throws ToolboxError `pattern_invalid`
 */
export function markedFiles(base: string, globs: readonly string[]): (real: string) => boolean {
  const compile = (glob: string) => compileGlob(folded(glob.replace(/^\/|\/+$/g, "")));
  const below = globs.filter((glob) => !glob.startsWith("/")).map(compile);
  const absolute = globs.filter((glob) => glob.startsWith("/")).map(compile);
  return (real) =>
    matchesAny(absolute, real.split(sep)) ||
    (isInside(base, real) && matchesAny(below, relative(base, real).split(sep)));
}

function matchesAny(tests: readonly ((path: string) => boolean)[], names: readonly string[]): boolean {
  if (tests.length === 0) return false;
  const path: string[] = [];
  for (const name of names) {
    if (name === "") continue;
    path.push(folded(name));
    const folder = path.join("/");
    if (tests.some((test) => test(folder))) return true;
  }
  return false;
}

function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
