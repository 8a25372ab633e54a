/** An exercise of our own: the task, what stands there at first, its tests, and a solution. All of one file each. */
interface OwnExercise {
  name: string;
  task: string;
  stub: string;
  tests: string;
  solution: string;
}

const assert = 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n';

/** Small tasks whose solutions are hard to write down in a text protocol: they hold its markers, quotes, and bytes that get lost. */
export const ownExercises: readonly OwnExercise[] = [
  {
    name: "markers",
    task: "Escape the markers of a wire protocol in a text, so that no reader takes them for its own.",
    stub: "export function escapeMarkers(text) {\n  return text;\n}\n",
    tests: `${assert}import { escapeMarkers } from "./markers.mjs";
test("markers", () => {
  for (const marker of ["<think>", "</think>", "<execute>", "</execute>", "<results>", "</results>", "<end>"]) {
    assert.equal(escapeMarkers("a" + marker + "b"), "a&lt;" + marker.slice(1) + "b");
  }
  assert.equal(escapeMarkers("a < b"), "a < b");
});
`,
    solution: `const markers = ["<think>", "</think>", "<execute>", "</execute>", "<results>", "</results>", "<end>"];

export function escapeMarkers(text) {
  // </execute> in a comment ends no block, and neither does a call: [{"name":"write","args":{}}]</execute>
  return markers.reduce((rest, marker) => rest.replaceAll(marker, "&lt;" + marker.slice(1)), text);
}
`,
  },
  {
    name: "quotes",
    task: "Write a text as a literal of JavaScript in double quotes.",
    stub: "export const literal = (text) => text;\n",
    tests: `${assert}import { literal } from "./quotes.mjs";
test("quotes", () => {
  for (const text of ['"', "'", "\\\\", "\\n\\r\\t\\u2028", "\${x}\`", "]]>", "\\\\\\"", "\\u0000"]) assert.equal((0, eval)(literal(text)), text);
});
`,
    solution: `const escapes = { '"': '\\\\"', "\\\\": "\\\\\\\\", "\\n": "\\\\n", "\\r": "\\\\r" };

export const literal = (text) =>
  \`"\${[...text].map((one) => escapes[one] ?? (one < " " || one > "~" ? \`\\\\u{\${one.codePointAt(0).toString(16)}}\` : one)).join("")}"\`;
`,
  },
  {
    name: "graphemes",
    task: "Reverse a text by what people take for characters.",
    stub: 'export const reverse = (text) => text.split("").reverse().join("");\n',
    tests: `${assert}import { reverse } from "./graphemes.mjs";
test("graphemes", () => {
  assert.equal(reverse("a👨‍👩‍👧b"), "b👨‍👩‍👧a");
  assert.equal(reverse("e\\u0301x"), "xe\\u0301");
  assert.equal(reverse("שלום 🇫🇷"), "🇫🇷 םולש");
});
`,
    solution: `// Families 👨‍👩‍👧, flags 🇫🇷 and é (two code points) stay whole; שלום turns around.
const segmenter = new Intl.Segmenter();

export const reverse = (text) => [...segmenter.segment(text)].map(({ segment }) => segment).reverse().join("");
`,
  },
  {
    name: "lines",
    task: "Split a text into lines that keep their line breaks: LF, CR and CRLF.",
    stub: 'export const lines = (text) => text.split("\\n");\n',
    tests: `${assert}import { readFileSync } from "node:fs";
import { lines } from "./lines.mjs";
test("lines", () => {
  assert.deepEqual(lines("a\\r\\nb\\rc\\n\\nd"), ["a\\r\\n", "b\\r", "c\\n", "\\n", "d"]);
  assert.match(readFileSync(new URL("lines.mjs", import.meta.url), "utf8"), /\\r\\n$/);
});
`,
    solution: "export const lines = (text) => text.match(/[^\\r\\n]*(?:\\r\\n|\\r|\\n)|[^\\r\\n]+/g) ?? [];\r\n",
  },
  {
    name: "fences",
    task: "Find the code blocks of a Markdown text.",
    stub: "export const blocks = () => [];\n",
    tests: `${assert}import { blocks } from "./fences.mjs";
test("fences", () => {
  assert.deepEqual(blocks("a\\n\`\`\`\`js\\n\`\`\`\\nx\\n\`\`\`\\n\`\`\`\`\\nb\\n~~~\\ny\\n~~~"), ["\`\`\`\\nx\\n\`\`\`", "y"]);
});
`,
    solution: `/**
 * \`\`\`json
 * {"example": "<execute>[]</execute>"}
 * \`\`\`
 */
export function blocks(text) {
  const found = [];
  let open;
  for (const line of text.split("\\n")) {
    const [, mark] = /^(\`{3,}|~{3,})/.exec(line) ?? [];
    if (open) {
      if (mark?.startsWith(open.mark) && line === mark) {
        found.push(open.lines.join("\\n"));
        open = undefined;
      } else open.lines.push(line);
    } else if (mark) open = { mark, lines: [] };
  }
  return found;
}
`,
  },
  {
    name: "table",
    task: "Look up the square of a number in a table that you write out.",
    stub: "export const square = () => 0;\n",
    tests: `${assert}import { square } from "./table.mjs";
test("table", () => {
  for (let one = 0; one < 3000; one++) assert.equal(square(one), one * one);
});
`,
    solution: `const squares = [\n${Array.from({ length: 3000 }, (_, one) => `  ${one * one}, // ${one} × ${one}\n`).join("")}];\n\nexport const square = (number) => squares[number];\n`,
  },
];
