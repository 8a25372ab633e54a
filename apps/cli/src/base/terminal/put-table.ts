import { put } from "./output.ts";
import { tableLines } from "./table-lines.ts";
import { widthOr } from "./text.ts";

/** Writes a table to stdout, within the columns of the terminal; where it goes elsewhere, each row is one line. */
export async function putTable(rows: readonly (readonly string[])[]): Promise<void> {
  const lines = tableLines(rows, { columns: widthOr(process.stdout, Number.POSITIVE_INFINITY) });
  await put(lines.map((line) => `${line}\n`).join(""));
}
