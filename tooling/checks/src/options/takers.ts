import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** An exported function or class that takes an object of options. */
export interface Taker {
  /** As in a table: `provider-openai openai`, `agent/history compaction`. */
  key: string;
  /** The module that exports it. */
  file: string;
  name: string;
  /** The place of the object among the parameters. */
  at: number;
  /** The names of its options. */
  options: readonly string[];
}

/**
 * Finds every function and class that the packages export with a parameter of a type of their own that has optional members: such an
 * object is one of options, unless a table says what else it is.
 *
 * @param folders of the packages, built
 */
export function takersOf(folders: readonly string[]): Taker[] {
  const entries = folders.flatMap(entriesOf);
  const program = ts.createProgram(
    entries.map(({ types }) => types),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ESNext,
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    },
  );
  const checker = program.getTypeChecker();
  const isOwn = (type: ts.Type): boolean =>
    type.isIntersection()
      ? type.types.some(isOwn)
      : (type.symbol?.declarations ?? []).some((declaration) =>
          folders.some((folder) => declaration.getSourceFile().fileName.startsWith(`${folder}/`)),
        );
  const takers = new Map<string, Taker>();
  for (const { key, types, file } of entries) {
    const source = program.getSourceFile(types);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${types} is no module: build the packages first.`);
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!(symbol.flags & ts.SymbolFlags.Value)) continue;
      const type = checker.getTypeOfSymbol(symbol);
      for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
        for (const [at, parameter] of signature.getParameters().entries()) {
          const given = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
          const objects = (given.isUnion() ? given.types : [given]).filter(
            (one) => one.getCallSignatures().length === 0 && isOwn(checker.getBaseConstraintOfType(one) ?? one),
          );
          const options = objects.flatMap((one) => one.getProperties());
          if (!options.some(({ flags }) => flags & ts.SymbolFlags.Optional)) continue;
          const known = options.filter((option) => !isNever(checker.getTypeOfSymbol(option)));
          const { name } = exported;
          const names = [...new Set(known.map((option) => option.name))];
          takers.set(`${key} ${name} ${at}`, { key: `${key} ${name}`, file, name, at, options: names });
        }
      }
    }
  }
  return [...takers.values()];
}

/** An option that must not be given has a type that nothing has but undefined. */
function isNever(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)) !== 0;
}

function entriesOf(folder: string): { key: string; types: string; file: string }[] {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) return [];
  const { name, exports = {} } = JSON.parse(readFileSync(manifest, "utf8")) as {
    name: string;
    exports?: Record<string, { import?: { types: string; default: string } }>;
  };
  return Object.entries(exports).flatMap(([entry, { import: target }]) =>
    target
      ? [
          {
            key: name.replace("@cogency/", "") + entry.slice(1),
            types: join(folder, target.types),
            file: join(folder, target.default),
          },
        ]
      : [],
  );
}
