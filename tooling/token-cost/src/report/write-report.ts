import { readFileSync, writeFileSync } from "node:fs";
import type { Figures } from "../figures/figures.ts";
import { svg } from "./svg.ts";
import { claims, forms, markdown, overview, sums, type Table } from "./tables.ts";

const root = new URL("../../../../", import.meta.url);
/** The picture, which holds the figures as well. */
export const picture = new URL("tooling/token-cost/token-cost.svg", root);

/** The documents, and the tables that they hold. */
export const documents: readonly { path: string; tables: readonly ((figures: Figures) => Table)[] }[] = [
  { path: "README.md", tables: [overview] },
  {
    path: "packages/agent/docs/token-cost.md",
    tables: [(figures) => sums(figures, "chat"), (figures) => sums(figures, "job"), claims, forms],
  },
];

export const textOf = (path: string) => readFileSync(new URL(path, root), "utf8");

export function writeReport(figures: Figures): void {
  writeFileSync(picture, svg(figures));
  for (const { path, tables } of documents) {
    writeFileSync(
      new URL(path, root),
      withTables(
        textOf(path),
        tables.map((table) => table(figures)),
      ),
    );
  }
}

/**
 * The document with these tables in the place of those whose heads begin with the same cell.
 *
 * @throws Error if it has no such table
 */
export function withTables(text: string, tables: readonly Table[]): string {
  return tables.reduce((written, table) => {
    const name = table[0]?.[0] ?? "";
    const lines = written.split("\n");
    const from = lines.findIndex((line) => line.startsWith(`| ${name} |`));
    if (from === -1) throw new Error(`The document has no table whose head begins with "${name}".`);
    const length = lines.slice(from).findIndex((line) => !line.startsWith("|"));
    return lines.toSpliced(from, length === -1 ? lines.length : length, markdown(table)).join("\n");
  }, text);
}
