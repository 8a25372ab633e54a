import { dirname, posix } from "node:path";
import ts from "typescript";
import { importsOf } from "./imports.ts";

/** The text of each source file by its path. */
export type Sources = ReadonlyMap<string, string>;

/**
 * The circles of a package: lists of files that import one another, directly or by way of others, sorted. Imports of types count: they
 * are what a reader follows.
 */
export function circlesIn(sources: Sources): string[][] {
  const imported = new Map([...sources].map(([path, text]) => [path, filesImportedBy(path, text, sources)]));
  const reached = new Map([...imported.keys()].map((path) => [path, reachedFrom(path, imported)]));
  const circles = new Map<string, string[]>();
  for (const [path, others] of reached) {
    if (!others.has(path)) continue;
    const circle = [...others].filter((other) => reached.get(other)?.has(path)).toSorted();
    circles.set(circle.join(), circle);
  }
  return [...circles.values()];
}

function filesImportedBy(path: string, text: string, sources: Sources): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return importsOf(source)
    .flatMap(({ specifier }) => (specifier?.startsWith(".") ? [posix.join(dirname(path), specifier)] : []))
    .filter((file) => sources.has(file));
}

function reachedFrom(path: string, imported: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...(imported.get(path) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(imported.get(next) ?? []));
  }
  return reached;
}
