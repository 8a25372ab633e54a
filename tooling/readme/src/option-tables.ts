import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type KeysOf, keysIn } from "./keys-of.ts";
import { type Table, tablesOf } from "./tables.ts";

/** Where the options of a function are told, and the type that has them. */
export interface OptionTable {
  /** The heading above the table. */
  under: string;
  /** The name of the type. */
  type: string;
  /** The source file that exports the type. */
  from: URL;
  /** The rows with this name in their second cell, of a table that holds the options of several functions. Defaults to all rows. */
  of?: string;
  /** Keys that the text or another table tells. */
  except?: readonly string[];
}

/** Compiling a package waits for a processor that may be busy. */
const patience = 60_000;

/**
 * Registers vitest tests for the tables of options in a document: the first column of each names every key of its type once, and nothing
 * else. A table belongs to this if the first cell of its header begins with `option`, or if `tables` names its heading; the cells of a
 * row may hold several names in backticks, as `` `name?` `` or `` `name(args)` ``.
 */
export function optionTables(document: URL, tables: readonly OptionTable[]): void {
  const markdown = readFileSync(document, "utf8");
  let keysOf: KeysOf | undefined;

  describe(`the options in ${basename(fileURLToPath(document))}`, () => {
    it("stand in tables that are compared with a type", () => {
      expect(unnamedTables(markdown, tables)).toEqual([]);
    });
    for (const table of tables) {
      const { under, type, of } = table;
      it(`are the keys of ${type}, under "${under}"${of === undefined ? "" : `, of ${of}`}`, {
        timeout: patience,
      }, () => {
        keysOf ??= keysIn(tables.map(({ from }) => from));
        expect(optionsIn(markdown, table)).toEqual(wanted(keysOf(table.from, type), table));
      });
    }
  });
}

/** The headings of tables of options that `tables` does not name. */
export function unnamedTables(markdown: string, tables: readonly Pick<OptionTable, "under">[]): string[] {
  const named = new Set(tables.map(({ under }) => under));
  const found = tablesOf(markdown).filter(isOfOptions);
  return found.flatMap(({ heading, line }) => (named.has(heading) ? [] : [`line ${line}, under "${heading}"`]));
}

/** The names in the first column of a table, sorted. */
export function optionsIn(markdown: string, { under, of }: Pick<OptionTable, "under" | "of">): string[] {
  const found = tablesOf(markdown).filter(({ heading }) => heading === under);
  const ofOptions = found.filter(isOfOptions);
  const rows = (ofOptions.length > 0 ? ofOptions : found.filter(isOfFields)).flatMap((table) => table.rows);
  const chosen = of === undefined ? rows : rows.filter(([, second = ""]) => namesIn(second).includes(of));
  return chosen.flatMap(([first = ""]) => namesIn(first)).toSorted();
}

function wanted(keys: readonly string[], { except = [] }: OptionTable): string[] {
  return keys.filter((key) => !except.includes(key)).toSorted();
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
