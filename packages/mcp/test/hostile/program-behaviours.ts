import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { type Behaviour, said, tool, type Wire } from "./behaviour.ts";

/** What the program of `program.ts` does, by name. `pids` is a file that gets the id of each process, a line each. */
export const programBehaviours: Readonly<Record<string, (...args: string[]) => Behaviour>> = {
  honest: (pids) => noted(pids, {}),
  /** Exits where it gets a request of this method. */
  exits: (method = "", code = "3") => ({ [method]: () => process.exit(Number(code)) }),
  /** Closes its stdout there, and lives on. */
  closesStdout(method = "", pids) {
    alive();
    return noted(pids, { [method]: () => void process.stdout.end() });
  },
  /** Ignores the end of its stdin, and TERM. */
  staysAlive(pids) {
    alive();
    for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, () => {});
    return noted(pids, {});
  },
  /** Starts a process that holds its pipes. */
  forks(pids) {
    const child = spawn("/bin/sh", ["-c", "trap '' TERM HUP; sleep 1000"], { stdio: "inherit" });
    return noted(pids, {}, child.pid);
  },
  /** Writes so many megabytes without a line feed in place of an answer. */
  endlessLine: (megabytes = "1") => ({
    "tools/call": (_, wire) => void writeMuch(wire, Number(megabytes)),
  }),
  /** Writes so many megabytes to its stderr before it answers. */
  talks: (megabytes = "1") => ({
    async "tools/call"() {
      const line = `${"x".repeat(1023)}\n`.repeat(1024);
      for (let at = 0; at < Number(megabytes); at++) {
        if (!process.stderr.write(line))
          await new Promise<void>((resolve) => process.stderr.once("drain", () => resolve()));
      }
      return said("talked");
    },
  }),
  /** Writes lines to its stdout that are no messages. */
  greets() {
    process.stdout.write("Welcome!\n{\n[1,2]\n5\nnull\n\n\u001b[2J\r\n");
    return {};
  },
  /** Gives its environment. */
  environment: () => ({ "tools/call": () => said(JSON.stringify(process.env)) }),
  /** Notes each call in a file. The first never ends; later ones do. The tool `safe` says that a second call changes nothing. */
  calls: (calls = "", pids) =>
    noted(pids, {
      "tools/list": () => ({ tools: [tool("pay"), tool("safe", { annotations: { idempotentHint: true } })] }),
      "tools/call"({ params }) {
        appendFileSync(calls, `${params.name}\n`);
        const count = readFileSync(calls, "utf8")
          .split("\n")
          .filter((name) => name === params.name).length;
        return count === 1 ? undefined : said(`${params.name} ${count}`);
      },
    }),
};

function noted(pids: string | undefined, behaviour: Behaviour, ...others: (number | undefined)[]): Behaviour {
  if (pids) appendFileSync(pids, [process.pid, ...others].map((pid) => `${pid}\n`).join(""));
  return behaviour;
}

/** Keeps this process alive, whatever ends. */
function alive(): void {
  setInterval(() => {}, 1_000_000);
}

function writeMuch(wire: Wire, megabytes: number): void {
  const chunk = "x".repeat(1024 * 1024);
  for (let at = 0; at < megabytes; at++) wire.raw(chunk);
}
