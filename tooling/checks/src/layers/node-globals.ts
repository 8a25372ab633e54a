import ts from "typescript";

/** A use of a global that only Node has. */
export interface GlobalUse {
  name: string;
  /** Counted from 1. */
  line: number;
}

const nodeGlobals = [
  "Buffer",
  "process",
  "global",
  "NodeJS",
  "__dirname",
  "__filename",
  "setImmediate",
  "clearImmediate",
];

/**
 * Finds where a source file uses a global of Node, by its name or through `globalThis`. Bindings of the file do not
 * count. `globalThis` itself counts unless one member is read from it by name, because any other use could reach every
 * global.
 */
export function nodeGlobalsIn(path: string, text: string): GlobalUse[] {
  if (![...nodeGlobals, "globalThis"].some((name) => text.includes(name))) return [];
  const { source, checker } = inIsolation(path, text);
  const uses: GlobalUse[] = [];
  const visit = (node: ts.Node) => {
    const name = nodeGlobalOf(node, checker);
    if (name !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      uses.push({ name, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** The compiler loads no library and no other file, so every name without a declaration is a global. */
function inIsolation(path: string, text: string): { source: ts.SourceFile; checker: ts.TypeChecker } {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const options: ts.CompilerOptions = {
    noLib: true,
    noResolve: true,
    allowJs: true,
    jsx: ts.JsxEmit.Preserve,
    types: [],
    target: ts.ScriptTarget.Latest,
    moduleDetection: ts.ModuleDetectionKind.Force,
  };
  const host = ts.createCompilerHost(options);
  host.getSourceFile = (name) => (name === path ? source : undefined);
  const program = ts.createProgram([path], options, host);
  return { source, checker: program.getTypeChecker() };
}

function nodeGlobalOf(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  if (!ts.isIdentifier(node)) return undefined;
  if (node.text === "globalThis" && isGlobal(node, checker)) {
    const member = memberOf(node.parent, node);
    return member === undefined || nodeGlobals.includes(member) ? (member ?? "globalThis") : undefined;
  }
  return nodeGlobals.includes(node.text) && isGlobal(node, checker) ? node.text : undefined;
}

/** The member of `object` that `parent` reads by a literal name or registered symbol. */
function memberOf(parent: ts.Node, object: ts.Node): string | undefined {
  if (ts.isAsExpression(parent) || ts.isParenthesizedExpression(parent)) return memberOf(parent.parent, parent);
  if (ts.isPropertyAccessExpression(parent) && parent.expression === object) return parent.name.text;
  if (ts.isQualifiedName(parent) && parent.left === object) return parent.right.text;
  if (!ts.isElementAccessExpression(parent) || parent.expression !== object) return undefined;
  const { argumentExpression: key } = parent;
  return ts.isStringLiteralLike(key) ? key.text : registeredSymbol(key);
}

/** `Symbol.for("name")` */
function registeredSymbol(key: ts.Expression): string | undefined {
  if (!ts.isCallExpression(key) || key.expression.getText() !== "Symbol.for") return undefined;
  const [name] = key.arguments;
  return name && ts.isStringLiteralLike(name) ? `Symbol.for(${JSON.stringify(name.text)})` : undefined;
}

function isGlobal(node: ts.Identifier, checker: ts.TypeChecker): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (ts.isQualifiedName(parent) && parent.right === node) return false;
  if (ts.isShorthandPropertyAssignment(parent)) return !isDeclared(checker.getShorthandAssignmentValueSymbol(parent));
  return !isDeclared(checker.getSymbolAtLocation(node));
}

function isDeclared(symbol: ts.Symbol | undefined): boolean {
  return symbol?.declarations !== undefined && symbol.declarations.length > 0;
}
