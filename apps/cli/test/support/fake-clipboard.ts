import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The bytes of a picture of the kind PNG, as far as anybody looks. */
export const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(2000, 7)]);

/** Writes programs, each a script of the shell, into a folder for a PATH. */
export function fakePrograms(folder: string, scripts: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** A `wl-paste` whose clipboard holds the file `picture`, or else a text. */
export function fakeWayland(folder: string, { picture, text = "" }: { picture?: string; text?: string }): string {
  const lists = picture === undefined ? "text/plain" : "text/html\\nimage/png";
  const gives = picture === undefined ? "exit 1" : `cat '${picture}'`;
  const script = `case "$*" in *--list-types*) printf '${lists}\\n';; *image/*) ${gives};; *) printf '${text}';; esac`;
  return fakePrograms(folder, { "wl-paste": script });
}
