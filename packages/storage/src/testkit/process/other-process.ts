import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "../../key.ts";
import type { Lease, Store } from "../../store.ts";
import type { Slot } from "../../wakes.ts";
import type { Elsewhere } from "../tested-store.ts";
import { processProgram } from "./process-program.ts";

export interface OtherProcessOptions {
  /** Milliseconds by which `Date.now` of the process is ahead of the machine's clock; may be negative. */
  clockAhead?: number;
}

/** A process that has the store open. An error in it rejects with an Error of the same name, message, code and data. */
export interface OtherProcess
  extends Pick<Store, "append" | "load" | "search" | "delete" | "post" | "inbox" | "wake" | "claim" | "done"> {
  /** Resolves when the store is open. */
  ready: Promise<void>;
  /** Makes each call in turn, without waiting for this process between them. */
  callAll(calls: readonly OtherCall[]): Promise<void>;
  /** Appends each batch in turn, without waiting for this process between them. */
  appendAll(batches: readonly Parameters<Store["append"]>[]): Promise<void>;
  lease(...args: Parameters<Store["lease"]>): Promise<Pick<Lease, "owner" | "token" | "expiresAt">>;
  slot(...args: Parameters<Store["slot"]>): Promise<Pick<Slot, "expiresAt"> | null>;
  /** Writes a text to the only unit of a run, and publishes it. */
  writeLive(key: Key, run: string, text: string): Promise<void>;
  /** Begins to follow the pieces of a conversation, and pulls all that come. */
  followLive(key: Key): Promise<void>;
  /** All pieces that have come since `followLive`. */
  livePieces(key: Key): Promise<Piece[]>;
  leaveLive(key: Key): Promise<void>;
  /** Kills the process at once. */
  end(): Promise<void>;
}

/** A call of a method that returns nothing of interest. */
export type OtherCall =
  | { method: "append"; args: Parameters<Store["append"]> }
  | { method: "post"; args: Parameters<Store["post"]> };

export function startOtherProcess({ module, options }: Elsewhere, { clockAhead = 0 }: OtherProcessOptions = {}) {
  // Without this process's own flags: those of a test runner would make the child a worker of the runner.
  const child = spawn(process.execPath, ["--input-type=module", "--eval", processProgram], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const ask = askerOf(child);
  const ready = ask(0, { module: urlOf(module), options, clockAhead }) as Promise<void>;
  let lastId = 0;
  const call = (method: string, args: readonly unknown[]) => ask(++lastId, { id: lastId, method, args });
  const other: OtherProcess = {
    ready,
    append: (...args) => call("append", args) as Promise<number>,
    load: (...args) => call("load", args) as ReturnType<Store["load"]>,
    search: (...args) => call("search", args) as ReturnType<Store["search"]>,
    delete: (...args) => call("delete", args) as Promise<boolean>,
    post: (...args) => call("post", args) as Promise<void>,
    inbox: (...args) => call("inbox", args) as ReturnType<Store["inbox"]>,
    wake: (...args) => call("wake", args) as Promise<void>,
    claim: (...args) => call("claim", args) as ReturnType<Store["claim"]>,
    done: (...args) => call("done", args) as Promise<boolean>,
    lease: (...args) => call("lease", args) as ReturnType<OtherProcess["lease"]>,
    slot: (...args) => call("slot", args) as ReturnType<OtherProcess["slot"]>,
    writeLive: (...args) => call("writeLive", args) as Promise<void>,
    followLive: (...args) => call("followLive", args) as Promise<void>,
    livePieces: (...args) => call("livePieces", args) as Promise<Piece[]>,
    leaveLive: (...args) => call("leaveLive", args) as Promise<void>,
    callAll: (calls) => call("callAll", [calls]) as Promise<void>,
    appendAll: (batches) => other.callAll(batches.map((args) => ({ method: "append", args }))),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
  return other;
}

interface Answer {
  id: number;
  value?: unknown;
  failure?: { message: string };
}

/** Returns a function that sends a message and resolves to the answer with its id. */
function askerOf(child: ChildProcess): (id: number, message: object) => Promise<unknown> {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let errorOutput = "";
  let problem: Error | undefined;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errorOutput = (errorOutput + text).slice(-2_000);
  });
  child.on("message", ({ id, value, failure }: Answer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (failure) asked?.reject(Object.assign(new Error(failure.message), failure));
    else asked?.resolve(value);
  });
  child.on("error", (error) => fail(error));
  child.on("close", () =>
    fail(new Error(`The other process ended too early. Its standard error: ${errorOutput || "empty"}`)),
  );
  return (id, message) => {
    const answer = new Promise<unknown>((resolve, reject) => {
      if (problem) return reject(problem);
      waiting.set(id, { resolve, reject });
      child.send(message, (error) => error && fail(error));
    });
    // A case that has failed no longer awaits this: the rejection must not end the process.
    answer.catch(() => {});
    return answer;
  };

  function fail(error: Error): void {
    problem ??= error;
    for (const { reject } of waiting.values()) reject(problem);
    waiting.clear();
  }
}

function urlOf(module: string | URL): string {
  if (typeof module === "string" && isAbsolute(module)) return pathToFileURL(module).href;
  return String(module);
}
