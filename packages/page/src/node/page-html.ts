import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PageSource } from "../page-source.ts";
import { contentPolicy } from "./content-policy.ts";

/**
 * One HTML text that holds everything: its script, its style and, of a trace, the log. It loads nothing from elsewhere, and makes
 * no HTML of what the log holds. A live page asks its own origin only.
 */
export function pageHtml(source: PageSource): string {
  const { script, style } = pageFiles();
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${pagePolicy(source.type)}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    "<title>Cogency</title>",
    `<style>${style}</style>`,
  ];
  const body = [
    "<noscript>This page shows a conversation with a script of its own. Allow it to run.</noscript>",
    `<script type="application/json" id="source">${inHtml(JSON.stringify(source))}</script>`,
    `<script>${script}</script>`,
  ];
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.join("\n")}\n</head>\n<body>\n${body.join("\n")}\n</body>\n</html>\n`;
}

/** The Content-Security-Policy of that page, for a header. The page says it itself, too. */
export function pagePolicy(type: PageSource["type"]): string {
  return contentPolicy({ ...pageFiles(), asks: type === "live", pictures: true });
}

/** `</script>` and `<!--` would end or change the element that holds the text. JSON escapes stand for the same text. */
function inHtml(json: string): string {
  return json.replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

let files: { script: string; style: string } | undefined;

/** The script and the style that the build has made of `browser/`. */
function pageFiles(): { script: string; style: string } {
  const read = (name: string) => readFileSync(join(builtFolder, name), "utf8").trim();
  files ??= { script: read("page.js"), style: read("page.css") };
  return files;
}

/** The build puts `page.js` and `page.css` beside this file. CommonJS has no `import.meta`, and ES modules have no `__filename`. */
const thisFile = typeof __filename === "string" ? __filename : import.meta.filename;
const builtFolder = join(thisFile, thisFile.endsWith(".ts") ? "../../../dist" : "..");
