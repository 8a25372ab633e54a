/**
 * Finds the paths of the workspace that a Markdown page names in backticks and that do not exist. Returns one line
 * each, with its line number. A path begins with `packages/`, `apps/` or `tooling/`, and may be followed by a name that
 * the file must declare: `packages/agent/src/loop/step.ts: runStep`.
 *
 * @param textOf returns the text of a file, an empty text for a folder, and undefined for a path that does not exist
 */
export function missingFilesIn(markdown: string, textOf: (path: string) => string | undefined): string[] {
  return markdown.split("\n").flatMap((line, index) =>
    Array.from(line.matchAll(namedFile)).flatMap(([, path = "", name]) => {
      const text = textOf(path);
      if (text === undefined) return [`line ${index + 1}: ${path} does not exist`];
      if (name === undefined || declares(text, name)) return [];
      return [`line ${index + 1}: ${path} declares no ${name}`];
    }),
  );
}

const namedFile = /`((?:packages|apps|tooling)\/[^`\s:]*)(?:: ([\w$]+))?`/g;

/** Finds a declaration of the name, or a member of that name. An import, a call and a comment are none. */
function declares(text: string, name: string): boolean {
  const word = name.replaceAll("$", "\\$");
  const declaration = `\\b(?:function\\*?|class|const|let|interface|type|enum) ${word}\\b`;
  const member = `^ +(?:(?:public|private|static|async|readonly|get|set) )*[*#]?${word}(?:<[^>\\n]*>)?(?:\\(|\\??:)`;
  return new RegExp(`${declaration}|${member}`, "m").test(text);
}
