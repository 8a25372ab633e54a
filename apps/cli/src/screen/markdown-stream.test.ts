import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markdownRows, markdownTheme } from "./markdown-rows.ts";
import { type MarkdownPart, MarkdownStream } from "./markdown-stream.ts";

const theme = markdownTheme(process.stdout);
const columns = 60;

function partsOf(pieces: readonly string[]): MarkdownPart[] {
  const stream = new MarkdownStream();
  const parts = pieces.flatMap((piece) => stream.push(piece));
  const last = stream.end();
  return last ? [...parts, last] : parts;
}

/** As the chat shows parts: an empty row stands between those that do not go on with the one before. */
function shown(parts: readonly MarkdownPart[]): string[] {
  return parts.flatMap((part, index) => {
    const rows = markdownRows(part, columns, theme).map((row) => stripVTControlCharacters(row).trimEnd());
    return index > 0 && !part.goesOn ? ["", ...rows] : rows;
  });
}

function whole(text: string): string[] {
  return shown([{ source: text, goesOn: false, isOpen: false }]);
}

/** Cuts a text at these places, of which there may be too many. */
function cutAt(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((one, other) => one - other);
  return [...ends, text.length].map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end));
}

const words = fc
  .array(
    fc.constantFrom("one", "two", "*three*", "`four`", "**five six**", "漢字", "😀", "[seven](http://a.example)"),
    {
      minLength: 1,
      maxLength: 14,
    },
  )
  .map((all) => all.join(" "));
const lines = fc.array(words, { minLength: 1, maxLength: 5 });
const code = fc.array(
  fc.constantFrom("let a = 1;", "", "    indented", "``", "# no heading", "- no item", "| no | table"),
  {
    maxLength: 30,
  },
);
const block = fc.oneof(
  lines.map((all) => all.join("\n")),
  words.map((text) => `## ${text}`),
  fc.array(words, { minLength: 1, maxLength: 25 }).map((all) => all.map((text) => `- ${text}`).join("\n")),
  fc.array(words, { minLength: 1, maxLength: 25 }).map((all) => all.map((text, n) => `${n + 1}. ${text}`).join("\n")),
  fc.array(words, { minLength: 1, maxLength: 25 }).map((all) => all.map((text) => `- ${text}   `).join("\n")),
  fc
    .array(words, { minLength: 1, maxLength: 25 })
    .map((all) => all.map((text) => `- **A**:  \n  ${text}  `).join("\n")),
  fc.array(words, { minLength: 1, maxLength: 25 }).map((all) => all.map((text) => `- ${text}`).join("\n\n")),
  words.map((text) => `- ${text}\n  - deeper\n    - deepest\n- ${text}`),
  code.map((all) => ["```ts", ...all, "```"].join("\n")),
  code.map((all) => ["~~~~", ...all, "```", "~~~~"].join("\n")),
  words.map((text) => `- a list\n  \`\`\`\n  code in it\n\n  more\n  \`\`\`\n- ${text}`),
  lines.map((all) => all.map((text) => `> ${text}`).join("\n")),
  lines.map((all) => `> quote\n>\n> > deeper\n> > ${all.join("\n> > ")}`),
  fc.constant("| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |"),
  fc.constant("---"),
);

/** Blocks between which an empty line stands, no two lists one after another: those would be one. */
const document = fc
  .array(block, { minLength: 1, maxLength: 6 })
  .map((blocks) =>
    blocks.flatMap((text, n) => (/^(-|\d)/.test(text) && n > 0 ? ["between", text] : [text])).join("\n\n"),
  );

describe("MarkdownStream", () => {
  it("shows the parts of a text as the whole text is shown", () => {
    fc.assert(
      fc.property(document, (text) => {
        expect(shown(partsOf([text]))).toEqual(whole(text));
      }),
    );
  });

  it("cuts a text into the same parts, whatever the pieces are in which it arrives", () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat({ max: 3000 }), { maxLength: 40 }), (text, places) => {
        expect(partsOf(cutAt(text, places))).toEqual(partsOf([text]));
      }),
    );
  });

  it("never takes back what it has closed: parts and tail are all of the text, at any time", () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat({ max: 3000 }), { maxLength: 10 }), (text, places) => {
        const stream = new MarkdownStream();
        let said = "";
        let closed = "";
        for (const piece of cutAt(text, places)) {
          said += piece;
          closed += stream.push(piece).map(sourceOf).join("");
          expect(squeezed(closed + (stream.tail ? sourceOf(stream.tail) : ""))).toBe(squeezed(said));
        }
      }),
    );
  });

  it("closes code by lines, so that little of it may still change", () => {
    const stream = new MarkdownStream();
    const parts = stream.push(`\`\`\`ts\n${"line\n".repeat(100)}`);
    expect(parts.length).toBeGreaterThan(10);
    expect(stream.tail?.source.split("\n").length).toBeLessThan(12);
    expect(shown([...parts, ...stream.push("```\n")])).toEqual(whole(`\`\`\`ts\n${"line\n".repeat(100)}\`\`\`\n`));
  });

  it("repeats the head of a table that it cuts early", () => {
    const head = "| name | value |\n|---|---|\n";
    const parts = partsOf([head + "| a row | of a long table |\n".repeat(200)]);
    expect(parts.length).toBeGreaterThan(2);
    for (const { source } of parts) expect(source.startsWith(head)).toBe(true);
    expect(parts.reduce((count, { source }) => count + source.split("\n").length - 3, 0)).toBe(200);
  });

  it("cuts a line that does not end, between words and never within a character", () => {
    const parts = partsOf(Array.from({ length: 900 }, () => "some 😀😀😀"));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(({ source }) => source).join("")).toBe("some 😀😀😀".repeat(900));
    for (const { source } of parts) expect(source.isWellFormed()).toBe(true);
  });

  it("shows no empty row between the items of a list whose lines end in spaces", () => {
    const list = Array.from({ length: 20 }, (_, n) => `- item ${n}  `);
    expect(shown(partsOf([list.join("\n")]))).toEqual(list.map((line) => line.trimEnd()));
  });

  it("shows where a link leads", () => {
    expect(whole("[the docs](http://elsewhere.example/x)")).toEqual(["the docs (http://elsewhere.example/x)"]);
  });
});

/** Without what opens code again. */
function sourceOf({ source, goesOn }: MarkdownPart): string {
  return goesOn && /^(```|~~~)/.test(source) ? source.slice(source.indexOf("\n") + 1) : source;
}

/** Parts of nothing but white space are left out. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}
