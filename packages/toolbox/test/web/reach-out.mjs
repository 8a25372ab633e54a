// A program in place of the page reader: it tries to reach the machine, and sends the outcome of each attempt.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

const attempts = {
  "read /etc/passwd": () => readFileSync("/etc/passwd"),
  "read package.json of the workspace": () => readFileSync(new URL("../../../../package.json", import.meta.url)),
  "write beside its program": () => writeFileSync(new URL("made", import.meta.url), ""),
  "start a program": () => spawn("true"),
  "start a thread": () => new Worker("", { eval: true }),
  "use a library": () => import("linkedom"),
};

const tried = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    tried[name] = "done";
  } catch (error) {
    tried[name] = error.code ?? String(error);
  }
}
process.send(tried, () => process.disconnect());
