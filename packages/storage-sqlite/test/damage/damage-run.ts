import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../support/child-environment.ts";

/** Milliseconds that a process may print nothing; one store takes some hundredths of a second. */
const patience = 60_000;

/**
 * Damages and checks `count` stores in another process, so that a crash or a hang is detected too.
 *
 * @returns how many of them threw an error
 * @throws an error that names the violation and the damage
 */
export async function damageRun(folder: string, seed: number, count: number): Promise<number> {
  const worker = fileURLToPath(new URL("worker.ts", import.meta.url));
  const child = spawn(process.execPath, [worker, folder, String(seed), String(count)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: childEnvironment,
  });
  const closed = once(child, "close");
  let line = "";
  let complaint = "";
  const kill = () => child.kill("SIGKILL");
  let timer = setTimeout(kill, patience);
  child.stderr.on("data", (chunk) => (complaint += String(chunk)));
  child.stdout.on("data", (chunk) => {
    line = String(chunk).trimEnd().split("\n").at(-1) ?? "";
    clearTimeout(timer);
    timer = setTimeout(kill, patience);
  });
  const [code, signal] = await closed;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${line}: the process ended with ${code ?? signal}: ${complaint}`);
  return Number.parseInt(line, 10);
}
