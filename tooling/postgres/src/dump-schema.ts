import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findPostgres } from "./find-postgres.ts";

/** A schema with its data as statements that any client can send at once: without comments and commands of psql. */
export function dumpSchema(url: string, schema: string): string {
  const program = join(findPostgres() ?? "", "pg_dump");
  const options = [`--schema=${schema}`, "--no-owner", "--no-privileges", "--rows-per-insert=1000"];
  const text = execFileSync(program, [...options, url], { encoding: "utf8", maxBuffer: 1e8 });
  const lines = text.split("\n").filter((line) => !/^(--|\\(un)?restrict )/.test(line));
  return `${lines
    .join("\n")
    .replace(/\n{2,}/g, "\n\n")
    .trim()}\n`;
}
