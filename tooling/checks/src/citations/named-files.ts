/**
 * Finds the paths of the workspace that a Markdown page names in backticks and that do not exist. Returns one line
 * each, with its line number. A path begins with `packages/`, `apps/` or `tooling/`, and may be followed by a name that
 * the file must contain: `packages/agent/src/loop/step.ts: runStep`.
 *
 * @param textOf returns the text of a file, an empty text for a folder, and undefined for a path that does not exist
 */
export function missingFilesIn(markdown: string, textOf: (path: string) => string | undefined): string[] {
  return markdown.split("\n").flatMap((line, index) =>
    Array.from(line.matchAll(namedFile)).flatMap(([, path = "", name]) => {
      const text = textOf(path);
      if (text === undefined) return [`line ${index + 1}: ${path} does not exist`];
      if (name === undefined || holds(text, name)) return [];
      return [`line ${index + 1}: ${path} holds no ${name}`];
    }),
  );
}

const namedFile = /`((?:packages|apps|tooling)\/[^`\s:]*)(?:: ([\w$]+))?`/g;

/** Looks for whole words: `runStep` does not contain `step`. */
function holds(text: string, name: string): boolean {
  return text.split(/[^\w$]+/).includes(name);
}
