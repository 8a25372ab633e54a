import ts from "typescript";

/** Reports everything in an index.ts except exports by name. Lines count from 1. */
export function entryProblemsOf(source: ts.SourceFile): { line: number; problem: string }[] {
  return source.statements.flatMap((statement) => {
    const problem = problemOf(statement);
    const { line } = source.getLineAndCharacterOfPosition(statement.getStart(source));
    return problem === undefined ? [] : [{ line: line + 1, problem }];
  });
}

function problemOf(statement: ts.Statement): string | undefined {
  const other = "holds something else than exports from other files";
  if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) return other;
  const { exportClause } = statement;
  if (!exportClause || !ts.isNamedExports(exportClause)) return "exports everything of a file instead of names";
  return exportClause.elements.length === 0 ? other : undefined;
}
