import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface SiteOptions {
  /** The file of a SQLite store, or the address of a PostgreSQL database. */
  place: string;
  serves?: boolean;
  works?: boolean;
  /** Defaults to one that is free. */
  port?: number;
  /** Conversations that its worker runs at once. Defaults to 10. */
  concurrency?: number;
  pace: { pause: number; words: number; gates?: string };
}

/** A process of a site: it serves, it works, or both. */
export interface Site {
  readonly port: number;
  readonly url: string;
  /** Bytes after garbage was collected, and milliseconds of processor time so far. */
  memory(): Promise<Usage>;
  /** SIGKILL. Calling it again does nothing. */
  kill(): Promise<void>;
}

export interface Usage {
  /** What JavaScript holds, its buffers included. */
  heap: number;
  /** What the process takes of the machine. */
  rss: number;
  cpu: number;
}

export async function startSite(options: SiteOptions): Promise<Site> {
  const { child, next, kill } = startProcess("site-process.ts", [JSON.stringify(options)]);
  const port = Number(await next());
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    kill,
    async memory() {
      child.stdin?.write("memory\n");
      return JSON.parse(await next());
    },
  };
}

/** A script of this folder, whose lines are read one after another. It ends with this process. */
export function startProcess(script: string, options: readonly string[]) {
  const file = join(import.meta.dirname, script);
  const child: ChildProcess = spawn(process.execPath, ["--expose-gc", file, ...options], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const atExit = () => void child.kill("SIGKILL");
  process.once("exit", atExit);
  void ended.then(() => process.off("exit", atExit));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return {
    child,
    async next(): Promise<string> {
      const { done, value } = await lines.next();
      if (done) throw new Error(`${script} has ended.`);
      return value as string;
    },
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
