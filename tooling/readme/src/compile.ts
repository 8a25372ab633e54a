import { basename, dirname } from "node:path";
import ts from "typescript";

/** What the compiler says about a file of the program, one line a diagnostic; `""` if it is content. */
export type Check = (file: string) => string;

/** What a careful user compiles with, on a Node that strips types. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
};

/** Parsed declarations, by path: the documents of a package import the same ones, and parsing them is most of the work. */
const declarations = new Map<string, ts.SourceFile | undefined>();

/** One program for the examples of `readme`, written to `files` in such a way that line numbers are the README's. */
export function compile(files: string[], readme: string): Check {
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => dirname(readme);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) => {
    if (!path.endsWith(".d.ts")) return getSourceFile(path, ...rest);
    if (!declarations.has(path)) declarations.set(path, getSourceFile(path, ...rest));
    return declarations.get(path);
  };
  const program = ts.createProgram(files, options, host);
  const general = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];

  return (file) => {
    const source = program.getSourceFile(file);
    const own = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return [...general, ...own].map((diagnostic) => describe(diagnostic, basename(readme))).join("\n");
  };
}

function describe(diagnostic: ts.Diagnostic, readme: string): string {
  const cannotFindModule = 2307;
  const hint = diagnostic.code === cannotFindModule ? " (Is its dist/ built?)" : "";
  const message = `TS${diagnostic.code}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}${hint}`;
  if (!diagnostic.file || diagnostic.start === undefined) return message;
  const { line, character } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
  return `${readme}:${line + 1}:${character + 1} ${message}`;
}
