import ts from "typescript";

/** An import of a source file. `specifier` is undefined if it is computed at run time. */
export interface Import {
  specifier: string | undefined;
  /** Counted from 1. */
  line: number;
}

/** Finds every static, dynamic, type-only and CommonJS import of a source file, re-export and reference directive. */
export function importsOf(source: ts.SourceFile): Import[] {
  const imports: Import[] = [];
  const add = (node: ts.Node | undefined) => {
    if (!node) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    imports.push({ specifier: ts.isStringLiteralLike(node) ? node.text : undefined, line: line + 1 });
  };

  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isExternalModuleReference(node)) add(node.expression);
    else if (ts.isImportTypeNode(node))
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument);
    else if (ts.isCallExpression(node) && isLoader(node.expression)) add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(source);

  const addReference = (specifier: string, pos: number) => {
    imports.push({ specifier, line: source.getLineAndCharacterOfPosition(pos).line + 1 });
  };
  for (const { fileName, pos } of source.typeReferenceDirectives) {
    addReference(fileName.split("/")[0] === "node" ? "node:types" : `@types/${fileName}`, pos);
  }
  for (const { fileName, pos } of source.referencedFiles) {
    addReference(/^[./]/.test(fileName) ? fileName : `./${fileName}`, pos);
  }
  return imports;
}

/** `import(…)`, `require(…)`, `require.resolve(…)`, `import.meta.resolve(…)` and `process.getBuiltinModule(…)`. */
function isLoader(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(callee)) return callee.text === "require" || callee.text === "getBuiltinModule";
  if (!ts.isPropertyAccessExpression(callee)) return false;
  if (callee.name.text === "getBuiltinModule") return true;
  if (callee.name.text !== "resolve") return false;
  return (
    ts.isMetaProperty(callee.expression) || (ts.isIdentifier(callee.expression) && callee.expression.text === "require")
  );
}
