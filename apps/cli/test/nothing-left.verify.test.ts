import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { bin, calling, jsonLines, type Place, place } from "./support/command-line.ts";
import { isolation } from "./support/isolation.ts";
import { hasPseudoTerminal, pseudoTerminal, shellLine, terminalEnv } from "./support/pseudo-terminal.ts";

const tries = Number(process.env.COGENCY_TRIES ?? 100);
const seed = Number(process.env.COGENCY_SEED ?? Date.now() % 1_000_000);
/** How many run side by side. */
const atOnce = 4;
/** Milliseconds after its start in which a process is ended. */
const longestLife = 2500;

const { isolated } = await isolation();

const works = ["a command", "a command in the background", "both"] as const;
type Work = (typeof works)[number];
const ends = ["SIGKILL", "SIGHUP", "SIGQUIT", "SIGTERM", "a closed terminal"] as const;
type End = (typeof ends)[number];

/** Whether one process is left after another was ended in the middle of its work: programs carry a mark in their words. */
describe(`a run that is ended at any moment (seed ${seed})`, () => {
  it.runIf(isolated)(`leaves nothing behind in ${tries} tries, whatever ends it`, { timeout: 1_800_000 }, async () => {
    await inTurns(tries, async (number, random) => {
      const work = works[number % works.length] ?? "both";
      const end = ends[Math.floor(number / works.length) % ends.length] ?? "SIGKILL";
      await expectNothingLeft({
        work,
        end,
        delay: random * longestLife,
        mark: `${seed}${number}`,
        sandbox: "required",
      });
    });
  });

  it("leaves nothing behind without a sandbox, if it is not killed", { timeout: 600_000 }, async () => {
    const gentle = ends.filter((end) => end !== "SIGKILL");
    await inTurns(gentle.length * works.length, async (number, random) => {
      const work = works[number % works.length] ?? "both";
      const end = gentle[Math.floor(number / works.length)] ?? "SIGHUP";
      await expectNothingLeft({ work, end, delay: random * longestLife, mark: `${seed}8${number}`, sandbox: "off" });
    });
  });
});

interface Try {
  work: Work;
  end: End;
  delay: number;
  mark: string;
  sandbox: "required" | "off";
}

async function expectNothingLeft({ work, end, delay, mark, sandbox }: Try): Promise<void> {
  const at = place(onTestFinished);
  // One program leaves the group and the session of the others.
  const sleep = `sleep 600 0.${mark}`;
  const command = `${sleep} & setsid ${sleep} & ${sleep}`;
  const calls = {
    "a command": [[{ name: "shell", args: { command } }]],
    "a command in the background": [
      [{ name: "shell", args: { command, background: true } }],
      [{ name: "shell_output", args: { job: "job_1", wait: 600 } }],
    ],
    both: [
      [{ name: "shell", args: { command, background: true } }],
      [{ name: "shell", args: { command: `echo on; ${command}` } }],
    ],
  }[work];
  const options = [...calling(...calls), "--yes", "--content", "allow", "--sandbox", sandbox];
  const child =
    end === "a closed terminal" ? inTerminal(at, ["chat", "go", ...options]) : at.start(["run", "go", ...options]);
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("exit", (code, signal) => resolve([code, signal]));
  });
  await setTimeout(delay);
  const groups = groupsBelow(child.pid ?? 0);
  // Closing the terminal is the end of the program that holds it.
  child.kill(end === "a closed terminal" ? "SIGKILL" : end);
  const [code, signal] = await ended;
  const what = `${work}, ${end} after ${Math.round(delay)} ms, sandbox ${sandbox}`;
  await vi.waitFor(() => expect([...withMark(mark), ...inGroups(groups)], what).toEqual([]), {
    timeout: 60_000,
    interval: 100,
  });
  // Before it listens to signals, and by KILL, the system itself ends it.
  if (end !== "a closed terminal" && signal !== end) expect(code, what).toBe(128 + constants.signals[end]);
}

/** The command lines of all processes that hold the mark. */
function withMark(mark: string): string[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .map(commandLineOf)
    .filter((line) => line.includes(`0.${mark}`));
}

/** The groups that a process and its descendants lead: programs of a sandbox that is being made carry no mark. */
function groupsBelow(top: number): ReadonlySet<number> {
  const below = new Set([top]);
  // A parent has mostly a lower number than its children.
  for (const { pid, parent } of processes()) if (below.has(parent)) below.add(pid);
  return new Set(processes().flatMap(({ pid, group }) => (pid === group && below.has(pid) ? [group] : [])));
}

/** The command lines of the processes in groups. A zombie, which only waits for its parent, does not count. */
function inGroups(groups: ReadonlySet<number>): string[] {
  return processes().flatMap(({ pid, group, state }) =>
    groups.has(group) && state !== "Z" ? [commandLineOf(`${pid}`)] : [],
  );
}

function processes(): { pid: number; parent: number; group: number; state: string }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [state = "", parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(name), parent: Number(parent), group: Number(group), state }];
    } catch {
      return [];
    }
  });
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function inTerminal(at: Place, args: readonly string[]): ChildProcess {
  const words = shellLine([process.execPath, bin, ...args]);
  const child = spawn(
    hasPseudoTerminal ? "script" : "sh",
    hasPseudoTerminal ? ["-qefc", words, "/dev/null"] : ["-c", words],
    {
      cwd: at.folder,
      env: terminalEnv(at, {}),
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Some at once, each with a number between 0 and 1 that the seed determines. */
async function inTurns(count: number, work: (number: number, random: number) => Promise<void>): Promise<void> {
  const randoms = randomsFrom(seed, count);
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const number = next++;
      await work(number, randoms[number] ?? 0);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function randomsFrom(start: number, count: number): number[] {
  let state = start;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  });
}

describe.runIf(hasPseudoTerminal)("a chat that a signal ends in the middle of a command", () => {
  it.each([
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
    ["SIGTERM", 143],
  ] as const)("at %s keeps what was done, and exits with %i", async (signal, code) => {
    const at = place();
    const mark = `${seed}9${code}`;
    const calls = [[{ name: "shell", args: { command: `echo on; exec sleep 600 0.${mark}` } }]];
    const chat = pseudoTerminal(at, ["chat", "go", "--conversation", "c", "--yes", ...calling(...calls)]);
    await vi.waitFor(() => expect(withMark(mark).length).toBeGreaterThan(1), { timeout: 60_000 });
    await chat.shows(/⋯ shell/);
    chat.kill(signal);
    expect(await chat.ended).toBe(code);
    await vi.waitFor(() => expect(withMark(mark)).toEqual([]), { timeout: 60_000 });
    const { stdout } = await at.cogency(["history", "show", "c", "--json"]);
    expect(jsonLines(stdout).map(({ type }) => type)).toContain("cancelled");
  });
});
