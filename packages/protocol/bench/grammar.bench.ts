import { readFileSync } from "node:fs";
import { structuralTag, type TurnLanguage, turnGrammar } from "../src/grammar/index.ts";
import type { ToolSpec } from "../src/tool.ts";

/** How long it takes to make the grammar of a turn, and how large it is. */
const schemas: Record<string, ToolSpec["parameters"]> = JSON.parse(
  readFileSync(new URL("../../toolbox/src/parameters.json", import.meta.url), "utf8"),
);

const rounds = 200;

console.log("| tools | dialect | first, ms | median, ms | grammar, bytes | structural tag, bytes |");
console.log("| --- | --- | --- | --- | --- | --- |");
for (const dialect of ["json", "xml"] as const) {
  for (const count of [0, 1, 10, 100]) {
    const times = Array.from({ length: rounds }, () => {
      const language = { tools: toolsOf(count), dialect };
      const startedAt = performance.now();
      turnGrammar(language);
      return performance.now() - startedAt;
    });
    const language: TurnLanguage = { tools: toolsOf(count), dialect };
    const sizes = [turnGrammar(language), JSON.stringify(structuralTag(language)) ?? ""].map((text) => text.length);
    const first = times[0] as number;
    const median = times.toSorted((a, b) => a - b)[rounds / 2] as number;
    console.log(`| ${count} | ${dialect} | ${first.toFixed(2)} | ${median.toFixed(2)} | ${sizes.join(" | ")} |`);
  }
}

/** A new array each time, because a grammar is kept for its array of tools. */
function toolsOf(count: number): ToolSpec[] {
  const known = Object.entries(schemas);
  return Array.from({ length: count }, (_, i) => {
    const [name, parameters] = known[i % known.length] as [string, ToolSpec["parameters"]];
    return { name: i < known.length ? name : `${name}_${i}`, description: "", parameters };
  });
}
