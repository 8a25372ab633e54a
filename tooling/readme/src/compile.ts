import { basename } from "node:path";
import ts from "typescript";
import { sourcePaths } from "./source-paths.ts";

const emitted = { target: ts.ScriptTarget.ES2024, jsx: ts.JsxEmit.ReactJSX };

/** What a careful user compiles with, on a Node that strips types. */
const options: ts.CompilerOptions = {
  ...emitted,
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

/** Files that the next program will hold. */
let added: string[] = [];

/** The program of each file that was compiled. */
const programs = new Map<string, ts.Program>();

/** Adds a file to the program that the next new file to be checked brings about: one for all documents of a test. */
export function addToProgram(file: string): void {
  added.push(file);
}

/**
 * What the compiler says about a file, one line a diagnostic; `""` if it is content.
 *
 * @param file an example of `readme`, written in such a way that line numbers are the README's
 */
export function check(file: string, readme: string): string {
  const program = programs.get(file) ?? compile(file);
  const source = program.getSourceFile(file);
  const found = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ];
  return found.map((diagnostic) => describe(diagnostic, basename(readme))).join("\n");
}

function compile(file: string): ts.Program {
  const files = [...new Set([...added, file])];
  added = [];
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => import.meta.dirname;
  const program = ts.createProgram(files, options, host);
  for (const one of files) programs.set(one, program);
  return program;
}

/** What a TypeScript module is without its types. */
export function asJavaScript(code: string, hasJsx = false): string {
  const compilerOptions = { ...emitted, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  // A name decides whether the code may have JSX, in which `<T>x` is no conversion.
  return ts.transpileModule(code, { compilerOptions, fileName: hasJsx ? "a.tsx" : "a.ts" }).outputText;
}

function describe(diagnostic: ts.Diagnostic, readme: string): string {
  const message = `TS${diagnostic.code}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}`;
  if (!diagnostic.file || diagnostic.start === undefined) return message;
  const { line, character } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
  return `${readme}:${line + 1}:${character + 1} ${message}`;
}
