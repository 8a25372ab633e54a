import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { call } from "../../../test/call.ts";
import { describeSandbox } from "../../../test/sandbox/describe-sandbox.ts";
import { freshFolder, projectAt } from "../../../test/sandbox/in-sandbox.ts";
import { shellTool } from "../shell-tool.ts";

const program = fileURLToPath(new URL("../../../test/sandbox/run-commands.mjs", import.meta.url));
const tries = Number(process.env.COGENCY_TRIES ?? 30);
/** Milliseconds between the first command and the kill: several commands begin and end meanwhile. */
const longestLife = 200;

/** The pids of all processes whose command lines hold a text. */
function pidsWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && commandLineOf(pid).includes(text))
    .map(Number);
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

describeSandbox("a command that begins", () => {
  const folder = freshFolder();

  it.each([
    ["in a sandbox", "sandbox"],
    ["of the host", "host"],
  ])(`%s leaves no process when its owner is killed, at ${tries} moments`, { timeout: 600_000 }, async (_, kind) => {
    for (let number = 0; number < tries; number++) {
      const mark = `owner-${process.pid}-${number}`;
      const owner = spawn(process.execPath, [program, folder.path, `sleep 0.001; true ${mark}`, kind], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const gone = once(owner, "exit");
      await once(owner.stdout, "data");
      const delay = (longestLife * number) / tries;
      await setTimeout(delay);
      owner.kill("SIGKILL");
      await gone;
      await vi.waitFor(() => expect(pidsWith(mark), `killed after ${delay} ms`).toEqual([]), { timeout: 10_000 });
    }
  });

  it(`in a sandbox leaves no process when bubblewrap is killed, at ${tries} moments`, {
    timeout: 600_000,
  }, async () => {
    const shell = shellTool(await projectAt(folder.path), { sandbox: "required" });
    for (let number = 0; number < tries; number++) {
      const mark = `bwrap-${process.pid}-${number}`;
      const ended = call(shell, { command: `true ${mark}` }).catch(() => {});
      const [leader] = await vi.waitFor(
        () => {
          const pids = pidsWith(mark);
          expect(pids).not.toEqual([]);
          return pids;
        },
        { timeout: 10_000, interval: 0 },
      );
      await setTimeout(number % 6);
      try {
        process.kill(leader as number, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
      await ended;
      await vi.waitFor(() => expect(pidsWith(mark)).toEqual([]), { timeout: 10_000 });
    }
  });
});
