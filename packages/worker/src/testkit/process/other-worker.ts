import { spawn } from "node:child_process";
import { once } from "node:events";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "@cogency/protocol";
import type { Elsewhere } from "../tested-dispatcher.ts";

/** What a worker in another process does. */
export interface OtherWorkerOptions {
  /** The path of the ledger. */
  ledger: string;
  /** Milliseconds of its leases and claims. */
  ttl: number;
  /** Milliseconds between two looks without a wake. */
  lookEvery: number;
  /** Milliseconds that its tool takes after the effect. */
  pause: number;
  concurrency: number;
  /** Milliseconds by which `Date.now` is ahead of the machine's clock; may be negative. Defaults to 0. */
  clockAhead?: number | undefined;
}

/** The first message to the process. */
export interface Assignment extends OtherWorkerOptions {
  /** The argument of its `open`. */
  options: Json;
}

export interface OtherWorker {
  /** Resolves when it works. */
  ready: Promise<void>;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Kills it. */
  end(): Promise<void>;
}

export function startOtherWorker({ module, options }: Elsewhere, workerOptions: OtherWorkerOptions): OtherWorker {
  // Without this process's own flags: those of a test runner would make the child a worker of the runner.
  const child = spawn(process.execPath, [pathOf(module)], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("error", reject);
    child.once("close", () =>
      reject(new Error(`The other worker ended too early. Its standard error: ${complaint || "empty"}`)),
    );
  });
  // A case that has failed no longer awaits this.
  ready.catch(() => {});
  child.send({ ...workerOptions, options } satisfies Assignment, (error) => error && child.emit("error", error));
  return {
    ready,
    signal: (name) => void child.kill(name),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function pathOf(module: string | URL): string {
  return typeof module === "string" && isAbsolute(module) ? module : fileURLToPath(module);
}
