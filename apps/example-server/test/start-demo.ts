import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A demo in a process of its own. */
export interface RunningDemo {
  /** Such as `http://127.0.0.1:4100`. */
  readonly origin: string;
  /** The requests that it has said in the terminal. */
  curls(): Promise<readonly Curl[]>;
  /** Interrupts it as Ctrl-C does, and resolves with its exit code. */
  interrupt(): Promise<number | null>;
  kill(): Promise<void>;
}

interface Curl {
  readonly address: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Starts the demo, and resolves once it says its address. */
export async function startDemo(...options: readonly string[]): Promise<RunningDemo> {
  const file = fileURLToPath(new URL("../src/demo.ts", import.meta.url));
  const child = spawn(process.execPath, [file, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  // All that it has said is there by then.
  const closed = once(child, "close");
  let failure = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    failure += text;
  });
  const lines = createInterface(child.stdout);
  const said: string[] = [];
  const printed = Promise.withResolvers<void>();
  lines.on("line", (text) => {
    said.push(text);
    if (said.filter(isCurl).length === 4) printed.resolve();
  });
  const [line] = await Promise.race([once(lines, "line"), closed.then(() => [""])]);
  const origin = /^(http:\/\/127\.0\.0\.1:\d+)\//.exec(line)?.[1];
  if (origin === undefined) throw new Error(failure || `The demo has said ${JSON.stringify(line)}.`);
  return {
    origin,
    async curls() {
      await printed.promise;
      return said.filter(isCurl).map(readCurl);
    },
    async interrupt() {
      child.kill("SIGINT");
      return (await closed)[0];
    },
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

function isCurl(line: string): boolean {
  return line.startsWith("curl ") && line.includes(" -d ");
}

function readCurl(line: string): Curl {
  const headers = [...line.matchAll(/ -H '([\w-]+): ([^']*)'/g)].map(([, name = "", value = ""]) => [name, value]);
  const [, body = "", address = ""] = / -d '(.*)' (\S+)$/.exec(line) ?? [];
  return { address, headers: Object.fromEntries(headers), body };
}
