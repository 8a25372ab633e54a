import { fileURLToPath } from "node:url";
import ts from "typescript";
import { sourcePaths } from "./source-paths.ts";

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  // Keys need neither the types of Node nor those of the Web.
  lib: ["lib.es2024.d.ts"],
  types: [],
  paths: sourcePaths(),
  resolveJsonModule: true,
};

/**
 * Returns the keys of an interface, or of another type of objects, that a source file exports; of alternatives all keys. Without keys that
 * must be left out (`?: never`).
 */
export type KeysOf = (source: URL, type: string) => string[];

/**
 * One program for the types of several files. It does not read the packages of others, which would take most of the time.
 *
 * @throws Error, by the function that it returns, for a type without keys, and for one that extends a type of such a package
 */
export function keysIn(sources: readonly URL[]): KeysOf {
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) =>
      isOwn(text) ? ts.resolveModuleName(text, file, options, host) : { resolvedModule: undefined },
    );
  const program = ts.createProgram([...new Set(sources.map((source) => fileURLToPath(source)))], options, host);
  const checker = program.getTypeChecker();

  return (source, name) => {
    const file = program.getSourceFile(fileURLToPath(source));
    const module = file && checker.getSymbolAtLocation(file);
    const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === name);
    if (!symbol) throw new Error(`${source.pathname} exports no ${name}.`);
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const own = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    if (extendsUnread(own, checker)) throw new Error(`${name} of ${source.pathname} extends a type that is not read.`);
    const type = checker.getDeclaredTypeOfSymbol(own);
    const alternatives = type.isUnion() ? type.types : [type];
    const keys = alternatives.flatMap((one) => checker.getPropertiesOfType(one));
    const given = keys.filter((key) => !isNever(checker.getTypeOfSymbol(key)));
    if (given.length === 0) throw new Error(`${name} of ${source.pathname} has no keys.`);
    return [...new Set(given.map((key) => key.name))];
  };
}

/** Whether a module is a file of the workspace. */
function isOwn(specifier: string): boolean {
  return specifier.startsWith(".") || specifier in (options.paths ?? {});
}

/** Whether an interface extends a type of a package that is not read: its keys are not all known. */
function extendsUnread({ declarations = [] }: ts.Symbol, checker: ts.TypeChecker): boolean {
  const bases = declarations
    .filter(ts.isInterfaceDeclaration)
    .flatMap(({ heritageClauses = [] }) => heritageClauses.flatMap(({ types }) => types));
  return bases.some((base) => (checker.getTypeAtLocation(base).flags & ts.TypeFlags.Any) !== 0);
}

function isNever({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Never | ts.TypeFlags.Undefined)) !== 0;
}
