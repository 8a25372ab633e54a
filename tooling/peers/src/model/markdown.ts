import { setTimeout } from "node:timers/promises";

/** Markdown of several kinds, again and again, with a number in each section so that no two are alike. */
export function markdown(length: number): string {
  const sections: string[] = [];
  for (let size = 0, number = 1; size < length; number++) {
    const section = sectionOf(number);
    sections.push(section);
    size += section.length;
  }
  return sections.join("").slice(0, length);
}

function sectionOf(number: number): string {
  const prose = `The quick brown fox ${number} jumps over the lazy dog, and **nothing** of \`it\` is lost. `.repeat(6);
  const code = `\`\`\`ts\n${`const value${number} = compute(left, right);\n`.repeat(20)}\`\`\``;
  const list = Array.from({ length: 12 }, (_, item) => `- item ${item} of list ${number}, with some words`).join("\n");
  const table = `| name | value |\n|---|---|\n${`| row ${number} | 12 |\n`.repeat(8)}`;
  return `${[`## Part ${number}`, prose, list, code, table, "> a quote of a line or two"].join("\n\n")}\n\n`;
}

/** Gives a text in pieces of 240 characters, as many a second as the rate says, whoever reads. */
export async function* paced(text: string, charactersPerSecond: number): AsyncGenerator<string> {
  const piece = 240;
  const start = performance.now();
  for (let at = 0; at < text.length; at += piece) {
    const due = start + (at / charactersPerSecond) * 1000;
    const early = due - performance.now();
    if (early > 1) await setTimeout(early);
    yield text.slice(at, at + piece);
  }
}
