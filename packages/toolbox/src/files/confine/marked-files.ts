import { relative, sep } from "node:path";
import { compileGlob } from "../glob.ts";
import { isInside } from "../guard/is-inside.ts";

/**
 * Makes the test for files that the host marks by globs. A glob that begins with `/` is matched against absolute paths,
 * any other against paths below `base`; one that matches a folder marks all that is in it. Letter case does not count.
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
