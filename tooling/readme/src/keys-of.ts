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
  types: ["node"],
  paths: sourcePaths(),
  resolveJsonModule: true,
};

/**
 * Returns the keys of an interface, or of another type of objects, that a source file exports; of alternatives all keys. Without keys that
 * must be left out (`?: never`).
 */
export type KeysOf = (source: URL, type: string) => string[];

/** One program for the types of several files. */
export function keysIn(sources: readonly URL[]): KeysOf {
  const program = ts.createProgram([...new Set(sources.map((source) => fileURLToPath(source)))], options);
  const checker = program.getTypeChecker();

  return (source, name) => {
    const file = program.getSourceFile(fileURLToPath(source));
    const module = file && checker.getSymbolAtLocation(file);
    const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === name);
    if (!symbol) throw new Error(`${source.pathname} exports no ${name}.`);
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const type = checker.getDeclaredTypeOfSymbol(isAlias ? checker.getAliasedSymbol(symbol) : symbol);
    const alternatives = type.isUnion() ? type.types : [type];
    const keys = alternatives.flatMap((one) => checker.getPropertiesOfType(one));
    const given = keys.filter((key) => !isNever(checker.getTypeOfSymbol(key)));
    if (given.length === 0) throw new Error(`${name} of ${source.pathname} has no keys.`);
    return [...new Set(given.map((key) => key.name))];
  };
}

function isNever({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Never | ts.TypeFlags.Undefined)) !== 0;
}
