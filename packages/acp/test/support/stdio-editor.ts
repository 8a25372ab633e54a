import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { afterAll, expect, onTestFinished } from "vitest";
import type { AcpStream } from "../../src/index.ts";
import { type EditorOptions, editor } from "./editor.ts";

export const stdioAgent = fileURLToPath(new URL("stdio-agent.ts", import.meta.url));

const cache = mkdtempSync(join(tmpdir(), "cogency-acp-cache-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** A path for a store, which goes with the test. */
export function storePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-acp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "store.db");
}

/** An editor that has started an agent as a process. */
export function stdioEditor(path: string, { isAlone = false, ...options }: EditorOptions & { isAlone?: boolean } = {}) {
  const words = [stdioAgent, path, ...(isAlone ? ["alone"] : [])];
  const child = spawn(process.execPath, words, {
    stdio: ["pipe", "pipe", "pipe"],
    // Starts take half the time.
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  });
  const exited = once(child, "exit") as Promise<[number | null, string | null]>;
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (bytes) => {
    printed.stdout += bytes;
  });
  child.stderr.on("data", (bytes) => {
    printed.stderr += bytes;
  });
  const pipes = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  const process_ = {
    connect({ readable, writable }: AcpStream) {
      const closed = Promise.all([
        readable.pipeTo(pipes.writable).catch(() => {}),
        pipes.readable.pipeTo(writable).catch(() => {}),
      ]).then(() => {});
      return { closed, close: async () => void child.stdin.destroy() };
    },
  };
  /** The id of the process that serves. */
  const serving = async () => {
    const id = () => Number(/^process (\d+)$/m.exec(printed.stderr)?.[1]);
    await expect.poll(id, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
    return id();
  };
  return { ...editor(process_, options), child, exited, printed, serving };
}
