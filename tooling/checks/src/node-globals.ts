import ts from "typescript";

/** A use of a name that only Node puts into the global scope. */
export interface GlobalUse {
  name: string;
  /** Counted from 1. */
  line: number;
}

const nodeGlobals = ["Buffer", "process", "NodeJS", "__dirname", "__filename", "setImmediate", "clearImmediate"];

/** Where a source file uses a global of Node, by its name or through `globalThis`; bindings of its own do not count. */
export function nodeGlobalsIn(path: string, text: string): GlobalUse[] {
  if (!nodeGlobals.some((name) => text.includes(name))) return [];
  const { source, checker } = inIsolation(path, text);
  const uses: GlobalUse[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node) && nodeGlobals.includes(node.text) && isGlobal(node, checker)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      uses.push({ name: node.text, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** Without any library or other file, whatever the compiler finds no declaration for is global. */
function inIsolation(path: string, text: string): { source: ts.SourceFile; checker: ts.TypeChecker } {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const options: ts.CompilerOptions = {
    noLib: true,
    noResolve: true,
    allowJs: true,
    types: [],
    target: ts.ScriptTarget.Latest,
    moduleDetection: ts.ModuleDetectionKind.Force,
  };
  const host = ts.createCompilerHost(options);
  host.getSourceFile = (name) => (name === path ? source : undefined);
  const program = ts.createProgram([path], options, host);
  return { source, checker: program.getTypeChecker() };
}

function isGlobal(node: ts.Identifier, checker: ts.TypeChecker): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return ts.isIdentifier(parent.expression) && parent.expression.text === "globalThis";
  }
  if (ts.isQualifiedName(parent) && parent.right === node) return false;
  if (ts.isShorthandPropertyAssignment(parent)) return !checker.getShorthandAssignmentValueSymbol(parent)?.declarations;
  return !checker.getSymbolAtLocation(node)?.declarations;
}
