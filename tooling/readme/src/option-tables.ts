import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type KeysOf, keysIn } from "./keys-of.ts";
import { type Table, tablesOf } from "./tables.ts";

/** Where the options of a function are told, and the type that has them. */
export interface OptionTable {
  /** The heading above the table. */
  under: string;
  /** The name of the type. */
  type: string;
  /** The source file that exports the type, such as `src/options.ts`. */
  from: string;
  /** The rows with this name in their second cell, of a table that holds the options of several functions. Defaults to all rows. */
  of?: string;
  /** A type of the same file whose keys another table tells. */
  beyond?: string;
}

/** Compiling a package waits for a processor that may be busy. */
const patience = 60_000;

/**
 * Registers vitest tests for the tables of options in the README and the `docs/` of a package: the first column of each names every key of
 * its type once, and nothing else. The cells may hold several names in backticks, as `` `name?` `` or `` `name(args)` ``. A table whose
 * header begins with `option` and that `tables` does not name fails.
 *
 * @param tables by the path of their document
 */
export function optionTables(home: URL, tables: Readonly<Record<string, readonly OptionTable[]>>): void {
  const documents = globSync("{README.md,docs/*.md}", { cwd: home }).map((path) => path.replaceAll("\\", "/"));
  const read = (path: string) => readFileSync(new URL(path, home), "utf8");
  const from = (path: string) => new URL(path, home);
  let keysOf: KeysOf | undefined;

  describe("options", () => {
    it("stand in tables that are compared with a type", () => {
      expect(documents.flatMap((path) => unnamedTables(path, read(path), tables[path]))).toEqual([]);
    });
    for (const [path, table] of Object.entries(tables).flatMap(([path, some]) =>
      some.map((one) => [path, one] as const),
    )) {
      const where = `under "${table.under}" in ${path}${table.of === undefined ? "" : `, of ${table.of}`}`;
      it(`are the keys of ${table.type}, ${where}`, { timeout: patience }, () => {
        const sources = Object.values(tables).flatMap((some) => some.map((one) => from(one.from)));
        keysOf ??= keysIn(sources);
        expect(optionsIn(read(path), table)).toEqual(wanted(keysOf, from(table.from), table));
      });
    }
  });
}

/** The places of tables of options that `tables` does not name. */
export function unnamedTables(
  path: string,
  markdown: string,
  tables: readonly Pick<OptionTable, "under">[] = [],
): string[] {
  const named = new Set(tables.map(({ under }) => under));
  const found = tablesOf(markdown).filter(isOfOptions);
  return found.flatMap(({ heading, line }) => (named.has(heading) ? [] : [`${path}:${line}, under "${heading}"`]));
}

/** The names in the first column of a table, sorted. */
export function optionsIn(markdown: string, { under, of }: Pick<OptionTable, "under" | "of">): string[] {
  const found = tablesOf(markdown).filter(({ heading }) => heading === under);
  const ofOptions = found.filter(isOfOptions);
  const rows = (ofOptions.length > 0 ? ofOptions : found.filter(isOfFields)).flatMap((table) => table.rows);
  const chosen = of === undefined ? rows : rows.filter(([, second = ""]) => namesIn(second).includes(of));
  return chosen.flatMap(([first = ""]) => namesIn(first)).toSorted();
}

function wanted(keysOf: KeysOf, from: URL, { type, beyond }: OptionTable): string[] {
  const told = beyond === undefined ? [] : keysOf(from, beyond);
  return keysOf(from, type)
    .filter((key) => !told.includes(key))
    .toSorted();
}

function isOfOptions({ header: [first = ""] }: Table): boolean {
  return first.startsWith("option");
}

/** Without a table of options: one of fields, or one whose header names the option that has them. */
function isOfFields({ header: [first = ""] }: Table): boolean {
  return /^(field|`)/.test(first);
}

function namesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`(\w+)\??(?:\([^`]*\))?`/g), ([, name = ""]) => name);
}
