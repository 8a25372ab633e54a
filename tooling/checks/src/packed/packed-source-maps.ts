import { existsSync, globSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { basename, dirname, join } from "node:path";
import { packages } from "../packages.ts";
import type { InstalledPackage } from "./packed-install.ts";

/**
 * Where the built files of a tarball do not lead back to readable sources: a file without a map, a map to sources that are
 * not in the tarball, and functions that a map sends to a line where they do not stand.
 */
export function sourceMapProblems({ folder, source }: InstalledPackage): string[] {
  // A command is minified and brings no sources, to stay small.
  const { isCommand, bundles = [] } = packages[source.path] ?? {};
  if (isCommand) return [];
  const texts = bundles.flatMap(({ file, isText }) => (isText && file ? [file] : []));
  return globSync("dist/**/*.{js,cjs}", { cwd: folder, exclude: texts }).flatMap((file) =>
    problemsOfFile(join(folder, file)).map((problem) => `${file}: ${problem}`),
  );
}

function problemsOfFile(file: string): string[] {
  const built = readFileSync(file, "utf8");
  const map = `${file}.map`;
  if (!built.trimEnd().endsWith(`//# sourceMappingURL=${basename(map)}`)) return ["names no source map of its own"];
  if (!existsSync(map)) return ["its source map is missing"];
  const payload = JSON.parse(readFileSync(map, "utf8")) as SourceMapPayload;
  if (payload.sources.length === 0 && /^(async )?function/m.test(built)) return ["its source map is empty"];
  const sources = payload.sources.map((source, index) => textOf(join(dirname(map), source), payload, index));
  const missing = payload.sources.filter((_, index) => sources[index] === undefined);
  if (missing.length > 0) return missing.map((source) => `its source ${source} is not in the tarball`);
  return strayFunctions(built, payload, sources);
}

/** The text of a source: from the map itself, or else from the file that it names. */
function textOf(path: string, { sourcesContent }: Partial<SourceMapPayload>, index: number): string | undefined {
  return sourcesContent?.[index] ?? (existsSync(path) ? readFileSync(path, "utf8") : undefined);
}

/** The named functions of the built text that the map does not lead to a line with their name. */
function strayFunctions(built: string, payload: SourceMapPayload, sources: readonly (string | undefined)[]): string[] {
  const map = new SourceMap(payload);
  const linesOf = new Map(payload.sources.map((source, index) => [source, sources[index]?.split("\n") ?? []]));
  return built.split("\n").flatMap((text, line) => {
    const [start = "", name] = /^(?:export )?(?:async )?function\*? (\w+)/.exec(text) ?? [];
    if (name === undefined) return [];
    const column = start.length - name.length;
    const entry = map.findEntry(line, column);
    // What the bundler adds has no entry of its own, nor has text in a string that looks like a function.
    if (!("originalLine" in entry) || entry.generatedLine !== line || entry.generatedColumn !== column) return [];
    const original = linesOf.get(entry.originalSource)?.[entry.originalLine];
    // esbuild appends a number where two modules use the same name.
    if (original?.includes(name.replace(/\d+$/, ""))) return [];
    return [`its source map leads ${name} of line ${line + 1} to a line without it`];
  });
}
