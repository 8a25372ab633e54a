import { basename, dirname } from "node:path";
import ts from "typescript";
import { sourcePaths } from "./source-paths.ts";

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
  // The types of the workspace's packages are read from their sources, so that nothing has to be built for them.
  paths: sourcePaths(),
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
};

/** Parsed files, by path: all documents import the same ones, and parsing them is most of the work. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** One program for the examples of `readme`, written to `files` in such a way that line numbers are the README's. */
export function compile(files: string[], readme: string): Check {
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => dirname(readme);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) => {
    if (path.includes("/.readme/")) return getSourceFile(path, ...rest);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest));
    return parsed.get(path);
  };
  const program = ts.createProgram(files, options, host);
  const general = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];

  return (file) => {
    const source = program.getSourceFile(file);
    const own = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return [...general, ...own].map((diagnostic) => describe(diagnostic, basename(readme))).join("\n");
  };
}

/** What a TypeScript module is without its types. */
export function asJavaScript(code: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2024, verbatimModuleSyntax: true };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

function describe(diagnostic: ts.Diagnostic, readme: string): string {
  const message = `TS${diagnostic.code}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}`;
  if (!diagnostic.file || diagnostic.start === undefined) return message;
  const { line, character } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
  return `${readme}:${line + 1}:${character + 1} ${message}`;
}
