import { existsSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Script } from "node:vm";
import { version } from "../../../package.json";
import { compile } from "./compile.ts";
import { openCompiledFolder } from "./compiled-folder.ts";
import { keptFolder, readKept, removeKept, sweepFolders, sweepKept, writeKept } from "./kept-code.ts";

/**
 * Keeps the compiled code of the app's files, so that the next start does not compile it again. Node's own compile cache holds
 * only what a file runs while it is loaded; this one holds every function that a command has called, which is most of the
 * time of a start.
 *
 * What is kept is run. It is trusted because only this user and root can write in the folder: `openCompiledFolder` makes
 * sure of it, and without such a folder nothing is kept. The tools of an agent, which run as this user, do not reach the folder
 * (`place/own-paths.ts`). NODE_DISABLE_COMPILE_CACHE turns all of it off.
 */
export function keepCompiled(): void {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return;
  const folder = openCompiledFolder(keptFolder(version, import.meta.dirname));
  if (!folder) return;
  const learning: Learning[] = [];
  const compiler: Compiler = Module.prototype as never;
  const usual = compiler._compile;
  compiler._compile = function (text, path, ...more) {
    if (dirname(path) !== import.meta.dirname || importing.test(text)) return usual.call(this, text, path, ...more);
    const file = basename(path);
    const compiled = compile(text, path, readKept(folder, file, text));
    if (compiled === undefined) {
      removeKept(folder, file);
      return usual.call(this, text, path, ...more);
    }
    const { script, run, uses } = compiled;
    if (uses < lessons) learning.push({ script, file, text, uses });
    return run.call(this.exports, this.exports, createRequire(path), this, path, dirname(path));
  };
  process.once("exit", (exitCode) => {
    if (learning.length > 0 && complete.includes(exitCode)) keep(learning, folder);
  });
}

/** A script has no `import()` unless Node is told how, which is still an experiment of Node. */
const importing = /\bimport\((?!["'])/;

/** So many times, commands add what they have called to what is kept. After that it stays as it is. */
const lessons = 5;

/**
 * How commands end that learn: done, and by Ctrl-C or SIGTERM, as `open` and `chat` do. One that failed has called few of the functions
 * that the next one needs.
 */
const complete = [0, 130, 143];

interface Compiler {
  _compile(this: NodeJS.Module, text: string, path: string, ...more: unknown[]): unknown;
}

interface Learning {
  script: Script;
  file: string;
  text: string;
  /** How many commands have added to what is kept of the file. */
  uses: number;
}

function keep(learning: readonly Learning[], folder: string): void {
  try {
    for (const { script, file, text, uses } of learning)
      writeKept(folder, file, text, { code: script.createCachedData(), uses: uses + 1 });
    sweepKept(folder, (file) => existsSync(join(import.meta.dirname, file)));
    sweepFolders(dirname(folder), basename(folder));
  } catch {
    // A start without it is slower, and works.
  }
}
