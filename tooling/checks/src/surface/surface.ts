import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";
import { publishablePackages } from "../workspace.ts";

/** What a package exports, by the sources of its entries. */
export interface Surface {
  /** The path in the workspace, such as `packages/protocol`. */
  path: string;
  /** The names of the main entry, sorted. */
  names: readonly string[];
  /** The names of the main entry that neither the README nor a page of `docs/` holds. */
  undocumented: readonly string[];
  /** Every name of every entry, with the place of its declaration, such as `packages/tools/src/tool.ts: Tool`. */
  declared: ReadonlyMap<string, string>;
}

/** The surfaces of the packages of a workspace that have a main entry. */
export function surfacesOf(root: string): Surface[] {
  const entries = new Map<string, string>();
  const packages = publishablePackages(root).filter(({ folder }) => existsSync(join(folder, "src/index.ts")));
  for (const { path, folder, manifest } of packages) {
    for (const [entry, file] of entriesOf(folder)) {
      entries.set(entry === "index" ? manifest.name : `${manifest.name}/${entry}`, posix.join(path, file));
    }
  }

  /** The place where a file, or the file that it takes the name from, declares it. */
  function declarationOf(file: string, name: string): string {
    const source = exportsOf(root, file).get(name);
    if (!source?.from) return `${file}: ${name}`;
    const next = source.from.startsWith(".") ? posix.join(posix.dirname(file), source.from) : entries.get(source.from);
    return next === undefined ? `${source.from}: ${source.name}` : declarationOf(next, source.name);
  }

  return packages.map(({ path, folder }) => {
    const files = [...entriesOf(folder).values()].map((file) => posix.join(path, file));
    const names = [...exportsOf(root, posix.join(path, "src/index.ts")).keys()].sort();
    const pages = pagesOf(folder);
    return {
      path,
      names,
      undocumented: names.filter((name) => !new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(pages)),
      declared: new Map(
        files.flatMap((file) => [...exportsOf(root, file).keys()].map((name) => [name, declarationOf(file, name)])),
      ),
    };
  });
}

/** The names that packages export with more than one declaration, sorted. */
export function ambiguousNames(surfaces: readonly Surface[]): string[] {
  const places = new Map<string, Set<string>>();
  for (const { declared } of surfaces) {
    for (const [name, place] of declared) places.set(name, (places.get(name) ?? new Set()).add(place));
  }
  return [...places]
    .filter(([name, found]) => name !== "default" && found.size > 1)
    .map(([name]) => name)
    .sort();
}

/** The sources of the entries by their names, `index` for the main one. Testkits are for tests, and their names stand alone. */
function entriesOf(folder: string): Map<string, string> {
  const config = join(folder, "tsup.config.ts");
  const found = existsSync(config) ? readFileSync(config, "utf8").matchAll(/"?([\w-]+)"?: "(src\/[^"]+)"/g) : [];
  const entries = Array.from(found, ([, name = "", file = ""]): [string, string] => [name, file]);
  return new Map([["index", "src/index.ts"], ...entries.filter(([name]) => name !== "testkit" && name !== "index")]);
}

function pagesOf(folder: string): string {
  const docs = join(folder, "docs");
  const pages = existsSync(docs) ? readdirSync(docs).filter((file) => file.endsWith(".md")) : [];
  const files = [join(folder, "README.md"), ...pages.map((page) => join(docs, page))];
  return files.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : "")).join("\n");
}

/** The exports by name of a file that takes them from others: where from, and under which name. */
function exportsOf(root: string, file: string): Map<string, { from: string; name: string }> {
  const path = join(root, file);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const exports = new Map<string, { from: string; name: string }>();
  for (const statement of statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) continue;
    const { exportClause, moduleSpecifier } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause) || !ts.isStringLiteral(moduleSpecifier)) continue;
    for (const { name, propertyName } of exportClause.elements) {
      exports.set(name.text, { from: moduleSpecifier.text, name: (propertyName ?? name).text });
    }
  }
  return exports;
}
