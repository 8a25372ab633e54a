import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { redacted } from "../../base/errors/redacted.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { serverLogFolder } from "../../place/mcp/server-log-folder.ts";

/** Bytes of a log; then it becomes the old one, in place of the one before. */
const mostBytes = 512 * 1024;

/** Characters of a line. */
const longestLine = 2000;

/** What a server says about itself while it works: a file that only this user reads, of bounded size. */
export interface ServerLog {
  readonly file: string;
  /** Where it cannot be written, the line is lost. */
  add(level: string, text: string): void;
}

/** @param folder that of the project which names the server; undefined for one of the person */
export function serverLog(name: string, folder: string | undefined): ServerLog {
  const file = serverLogFile(name, folder);
  return {
    file,
    add(level, text) {
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > mostBytes) renameSync(file, oldLog(file));
        const line = `${new Date().toISOString()} ${oneLine(level, 20)} ${oneLine(redacted(text), longestLine)}\n`;
        appendFileSync(file, line, { mode: 0o600 });
      } catch {}
    },
  };
}

/** Servers of two projects may have one name. */
export function serverLogFile(name: string, folder: string | undefined): string {
  const of = folder === undefined ? "" : `-${createHash("sha256").update(folder).digest("hex").slice(0, 8)}`;
  return join(serverLogFolder(), `${name}${of}.log`);
}

/** The lines before those of a log. */
export function oldLog(file: string): string {
  return `${file}.old`;
}
