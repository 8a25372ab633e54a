import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import ts from "typescript";

const packages = join(import.meta.dirname, "../../../packages");

/**
 * Takes packages of the workspace from their sources, and each imported name from the module that declares it. An index
 * imports all modules of its package, so a chunk that needs one name of it would load the whole package.
 */
export const directImports: Plugin = {
  name: "direct-imports",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@cogency\// }, ({ path }) => ({ path: entryOf(path), sideEffects: false }));
    onLoad({ filter: /[\\/](packages|apps)[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: withDirectImports(path),
      loader: "ts",
    }));
  },
};

function withDirectImports(file: string): string {
  const source = parsed(file);
  return source.statements.toReversed().reduce((text, statement) => {
    const direct = directly(statement);
    return direct === undefined ? text : text.slice(0, statement.pos) + direct + text.slice(statement.end);
  }, source.text);
}

/** The imports that replace one of named values from a package of the workspace; undefined for any other statement. */
function directly(statement: ts.Statement): string | undefined {
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return undefined;
  const { importClause, moduleSpecifier } = statement;
  const names = importClause?.namedBindings;
  if (!moduleSpecifier.text.startsWith("@cogency/") || !names || !ts.isNamedImports(names)) return undefined;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return undefined;
  const values = names.elements.filter(({ isTypeOnly }) => !isTypeOnly);
  const imports = values.map(({ propertyName, name }) => {
    const origin = originOf(entryOf(moduleSpecifier.text), (propertyName ?? name).text);
    return `import { ${origin.name} as ${name.text} } from ${JSON.stringify(origin.file)};`;
  });
  return `\n${imports.join("\n")}`;
}

/** Where a name that a module exports is declared, and its name there. */
function originOf(file: string, name: string): { file: string; name: string } {
  for (const statement of parsed(file).statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier || statement.isTypeOnly) continue;
    const { exportClause, moduleSpecifier } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause) || !ts.isStringLiteral(moduleSpecifier)) continue;
    const exported = exportClause.elements.find((element) => element.name.text === name);
    if (!exported) continue;
    const { text } = moduleSpecifier;
    const target = text.startsWith(".") ? join(file, "..", text) : entryOf(text);
    return originOf(target, (exported.propertyName ?? exported.name).text);
  }
  return { file, name };
}

/** The source of an entry, such as `packages/agent/src/native.ts` of `@cogency/agent/native`. */
function entryOf(specifier: string): string {
  const [, name = "", entry = "index"] = specifier.split("/");
  const source = join(packages, name, "src", entry);
  return existsSync(`${source}.ts`) ? `${source}.ts` : join(source, "index.ts");
}

const sources = new Map<string, ts.SourceFile>();

function parsed(file: string): ts.SourceFile {
  const known = sources.get(file);
  if (known) return known;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  sources.set(file, source);
  return source;
}
