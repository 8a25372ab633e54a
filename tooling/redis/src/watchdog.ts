import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

// A process beside the server: it waits on a pipe from the process that started the server, which the kernel closes however that
// process ends, and then leaves nothing behind. Argument: the folder of the server.
const [folder = ""] = process.argv.slice(2);

process.stdin.resume();
process.stdin.once("close", () => {
  try {
    process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
  } catch {
    // It was stopped before.
  }
  rmSync(folder, { recursive: true, force: true });
});
