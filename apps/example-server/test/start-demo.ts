import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A demo in a process of its own. */
export interface RunningDemo {
  /** Such as `http://127.0.0.1:4100`. */
  readonly origin: string;
  /** Interrupts it as Ctrl-C does, and resolves with its exit code. */
  interrupt(): Promise<number | null>;
  kill(): Promise<void>;
}

/** Starts the demo, and resolves once it says its address. */
export async function startDemo(...options: readonly string[]): Promise<RunningDemo> {
  const file = fileURLToPath(new URL("../src/demo.ts", import.meta.url));
  const child = spawn(process.execPath, [file, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([once(lines, "line"), exited.then(() => once(child.stderr, "close")).then(() => [""])]);
  const origin = /^(http:\/\/127\.0\.0\.1:\d+)\//.exec(line)?.[1];
  if (origin === undefined) throw new Error(said || `The demo has said ${JSON.stringify(line)}.`);
  return {
    origin,
    async interrupt() {
      child.kill("SIGINT");
      return (await exited)[0];
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
