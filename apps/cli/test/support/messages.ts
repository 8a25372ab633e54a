import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** A text in a source file. */
export interface Message {
  /** Below the folder that was read. */
  readonly file: string;
  readonly text: string;
}

/** The texts of several words in the sources below a folder, with … in the place of a value. */
export function messagesIn(folder: string): Message[] {
  const exclude = (name: string) => /\.test\.ts$|^testkit$/.test(name);
  return globSync("**/*.ts", { cwd: folder, exclude }).flatMap((file) => {
    const found: Message[] = [];
    const source = ts.createSourceFile(file, readFileSync(join(folder, file), "utf8"), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node) => {
      const text = textOf(node);
      if (text === undefined) ts.forEachChild(node, visit);
      else if (/[a-z]{2} /.test(text)) found.push({ file, text });
    };
    visit(source);
    return found;
  });
}

/** A literal, or literals that are joined with +. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce((text, { literal }) => `${text}…${literal.text}`, node.head.text);
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}
