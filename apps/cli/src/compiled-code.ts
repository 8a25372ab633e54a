import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { createRequire, Module } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { compiledFolder } from "./compiled-folder.ts";

/**
 * Keeps the compiled code of the app's files, so that the next start does not compile it again. Node's own compile cache holds
 * only what a file runs while it is loaded; this one holds every function that a command has called, which is most of the
 * time of a start. What is kept is run, so the folder must be the user's alone: without such a folder nothing is kept.
 * NODE_DISABLE_COMPILE_CACHE turns it off.
 */
export function keepCompiled(): void {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return;
  const folder = join(compiledFolder(), `${process.version}-${process.arch}`);
  if (!isPrivate(folder)) return;
  const kept = keptIn(folder);
  const learning: Learning[] = [];
  const compiler: Compiler = Module.prototype as never;
  const usual = compiler._compile;
  compiler._compile = function (text, path, ...more) {
    if (dirname(path) !== import.meta.dirname || importing.test(text)) return usual.call(this, text, path, ...more);
    const { uses = 0, code } = kept(basename(path), text) ?? {};
    const script = new Script(Module.wrap(text), { filename: path, cachedData: code });
    const known = script.cachedDataRejected ? 0 : uses;
    if (known < lessons) learning.push({ script, file: basename(path), text, uses: known });
    return script.runInThisContext().call(this.exports, this.exports, createRequire(path), this, path, dirname(path));
  };
  // A command that failed has called few of the functions that the next one needs.
  process.once("exit", (exitCode) => {
    if (exitCode === 0 && learning.length > 0) keep(learning, folder);
  });
}

/** A script has no `import()` unless Node is told how, which is still an experiment of Node. */
const importing = /\bimport\((?!["'])/;

/** So many times, commands add what they have called to what is kept. After that it stays as it is. */
const lessons = 5;

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

/** Finds what is kept of a file with this text. Its name says how many commands have added to it. */
function keptIn(folder: string): (file: string, text: string) => { uses: number; code: Buffer } | undefined {
  const names = readdirSync(folder);
  return (file, text) => {
    const uses = Math.max(0, ...names.filter((name) => name.startsWith(`${file}.`)).map(usesOf));
    const code = uses > 0 ? codeIn(join(folder, `${file}.${uses}`), text) : undefined;
    return code && { uses, code };
  };
}

function usesOf(name: string): number {
  return Number(/\.(\d)$/.exec(name)?.[1] ?? 0);
}

/** The code in a file, unless it is damaged or of another text: V8 would run it all the same. */
function codeIn(path: string, text: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const code = bytes.subarray(headBytes);
    return bytes.subarray(0, headBytes).equals(headOf(text, code)) ? code : undefined;
  } catch {
    return undefined;
  }
}

const headBytes = 8;

function headOf(text: string, code: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(crc32(text), 0);
  head.writeUInt32LE(crc32(code), 4);
  return head;
}

function keep(learning: readonly Learning[], folder: string): void {
  try {
    for (const { script, file, text, uses } of learning) {
      const code = script.createCachedData();
      writeWhole(join(folder, `${file}.${uses + 1}`), [headOf(text, code), code]);
    }
    // What was kept of these files before, and of those that another version of the app had.
    const latest = new Map(learning.map(({ file, uses }) => [file, uses + 1]));
    for (const name of readdirSync(folder)) {
      const file = name.replace(/\.\d$/, "");
      const isLatest = usesOf(name) === (latest.get(file) ?? usesOf(name));
      if (!isLatest || !existsSync(join(import.meta.dirname, file))) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // A start without it is slower, and works.
  }
}

/** Other processes read either all of the file or none of it. */
function writeWhole(path: string, parts: readonly Buffer[]): void {
  const draft = `${path}.${process.pid}`;
  const handle = openSync(draft, "wx", 0o600);
  try {
    for (const part of parts) writeSync(handle, part);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, path);
}

function isPrivate(folder: string): boolean {
  try {
    makeFolder(folder);
    const { mode, uid } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
  } catch {
    return false;
  }
}

/** Makes the missing folders one by one: where none can be made, such as in /proc, Node's recursive ways never end. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  mkdirSync(folder, { mode: 0o700 });
}
