import { writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import ts from "typescript";
import type { Installation, InstalledPackage } from "./packed-install.ts";
import type { RuntimeNames } from "./packed-runtime.ts";

export interface TypeProblem {
  owner: InstalledPackage;
  problem: string;
}

/** The ways in which a user's compiler resolves packages, and the kinds of files from which it does. */
const settings = [
  {
    name: "bundler",
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    extensions: [".ts"],
  },
  {
    name: "node16",
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    extensions: [".mts", ".cts"],
  },
];

/**
 * Type-checks a file that imports each entry, once for each way of resolving, and the declaration files that it
 * reaches. The types must declare exactly the names that exist at run time.
 */
export function typeProblems(installation: Installation, names: readonly RuntimeNames[]): TypeProblem[] {
  return settings.flatMap(({ name, module, moduleResolution, extensions }) => {
    const uses = names.flatMap((runtime, index) =>
      extensions
        .filter((extension) => extension !== ".cts" || runtime.cjs !== undefined)
        .map((extension) => ({
          runtime,
          extension,
          file: join(installation.consumer, `${name}-${index}${extension}`),
        })),
    );
    for (const { runtime, file } of uses) writeFileSync(file, `export * as entry from "${runtime.entry.specifier}";\n`);

    const options = { ...strict, module, moduleResolution };
    const host = ts.createCompilerHost(options);
    host.getCurrentDirectory = () => installation.consumer;
    const program = ts.createProgram(
      uses.map(({ file }) => file),
      options,
      host,
    );

    const ofUses = uses.flatMap(({ runtime, extension, file }) =>
      [...diagnosticsOf(file, program), ...differences(runtime, file, program)].map((text) => ({
        owner: runtime.entry.owner,
        problem: `moduleResolution ${name}, from a ${extension} file: ${text}`,
      })),
    );
    const ofDeclarations = installation.packages.flatMap((owner) =>
      declarationsOf(owner, program).flatMap((file) =>
        diagnosticsOf(file, program).map((text) => ({
          owner,
          problem: `moduleResolution ${name}, ${relative(owner.folder, file)}: ${text}`,
        })),
      ),
    );
    return [...ofUses, ...ofDeclarations];
  });
}

const strict: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  types: ["node"],
};

function declarationsOf({ folder }: InstalledPackage, program: ts.Program): string[] {
  const prefix = `${folder.replaceAll(sep, "/")}/dist/`;
  return program.getSourceFiles().flatMap(({ fileName }) => (fileName.startsWith(prefix) ? [fileName] : []));
}

function diagnosticsOf(file: string, program: ts.Program): string[] {
  const source = program.getSourceFile(file);
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return found.map(({ code, messageText }) => `TS${code} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}

/** The differences between the values that an entry declares and those that it exports. */
function differences({ entry, esm }: RuntimeNames, file: string, program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  const statement = program.getSourceFile(file)?.statements[0];
  const specifier = statement && ts.isExportDeclaration(statement) ? statement.moduleSpecifier : undefined;
  const module = specifier && checker.getSymbolAtLocation(specifier);
  // An entry that did not load has been reported already.
  if (!module || esm.length === 0) return [];
  const values = checker.getExportsOfModule(module).filter((symbol) => isValue(symbol, checker));
  const typed = values.map(({ name }) => name);
  return [
    ...typed
      .filter((name) => !esm.includes(name))
      .map((name) => `${entry.specifier} types ${name}, which is not there`),
    ...esm.filter((name) => !typed.includes(name)).map((name) => `${entry.specifier} has ${name}, which is not typed`),
  ];
}

function isValue(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (target.flags & ts.SymbolFlags.Value) !== 0;
}
