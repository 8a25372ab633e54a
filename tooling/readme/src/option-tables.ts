import type { KeysOf } from "./keys-of.ts";
import { type Table, tablesOf } from "./tables.ts";

/** Where the options of a function are told, and the type that has them. */
export interface OptionTable {
  /** The heading above the table. */
  under: string;
  /** The name of the type. */
  type: string;
  /** The source file that exports the type, such as `src/options.ts`: a path in the package. */
  from: string;
  /** The rows with this name in their second cell, of a table that holds the options of several functions. Defaults to all rows. */
  of?: string;
  /** A type of the same file whose keys another table tells. */
  beyond?: string;
}

/** The places of tables of options that `tables` does not name: those whose header begins with `option`. */
export function unnamedTables(
  path: string,
  markdown: string,
  tables: readonly Pick<OptionTable, "under">[] = [],
): string[] {
  const named = new Set(tables.map(({ under }) => under));
  const found = tablesOf(markdown).filter(isOfOptions);
  return found.flatMap(({ heading, line }) => (named.has(heading) ? [] : [`${path}:${line}, under "${heading}"`]));
}

/**
 * The names in the first column of a table, sorted. A cell may hold several in backticks, as `` `name?` `` or `` `name(args)` ``. Without a
 * table of options under the heading: those of a table of fields, or of one whose header is in backticks.
 */
export function optionsIn(markdown: string, { under, of }: Pick<OptionTable, "under" | "of">): string[] {
  const found = tablesOf(markdown).filter(({ heading }) => heading === under);
  const ofOptions = found.filter(isOfOptions);
  const rows = (ofOptions.length > 0 ? ofOptions : found.filter(isOfFields)).flatMap((table) => table.rows);
  const chosen = of === undefined ? rows : rows.filter(([, second = ""]) => namesIn(second).includes(of));
  return chosen.flatMap(([first = ""]) => namesIn(first)).toSorted();
}

/** The names that the first column must have. */
export function keysFor({ type, from, beyond }: OptionTable, home: URL, keysOf: KeysOf): string[] {
  const source = new URL(from, home);
  const told = beyond === undefined ? [] : keysOf(source, beyond);
  return keysOf(source, type)
    .filter((key) => !told.includes(key))
    .toSorted();
}

function isOfOptions({ header: [first = ""] }: Table): boolean {
  return first.startsWith("option");
}

function isOfFields({ header: [first = ""] }: Table): boolean {
  return /^(field|`)/.test(first);
}

function namesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`(\w+)\??(?:\([^`]*\))?`/g), ([, name = ""]) => name);
}
