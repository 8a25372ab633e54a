import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { treeOf } from "./deeds.ts";
import { passPoints } from "./points.ts";
import { filesIn, layOut, openCopies, takeBack, work, workByCommands } from "./task.ts";

/** Of a task of tools or of commands: its work, or its undo. */
export type Stage = "work" | "undo" | "commands" | "undo of commands";

const working: Record<Stage, typeof work> = {
  work,
  undo: work,
  commands: workByCommands,
  "undo of commands": workByCommands,
};

/** What a process does that is killed. */
export async function act(base: string, stage: Stage): Promise<void> {
  if (isUndo(stage)) await takeBack(openCopies(base));
  else await working[stage](join(base, "root"), openCopies(base));
}

function isUndo(stage: Stage): boolean {
  return stage === "undo" || stage === "undo of commands";
}

/** How a process is killed: another one that is really killed, or this one, in which nothing more happens after the point. */
export type Killing = "process" | "here";

/**
 * Kills a task at a point while it works or while it is undone, and checks what is left: each file is an old or a new one, and an
 * undo restores every file byte for byte.
 *
 * @returns false if the stage ends before the point
 * @throws Error that says what is wrong
 */
export async function drill(stage: Stage, point: number, killing: Killing): Promise<boolean> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "cogency-undo-")));
  const root = join(base, "root");
  try {
    await layOut(root);
    const isByTools = stage === "work" || stage === "undo";
    const look = isByTools ? filesIn : treeOf;
    const first = await look(root);
    if (isUndo(stage)) await working[stage](root, openCopies(base));
    const isKilled = killing === "process" ? await killProcess(base, stage, point) : await stopHere(base, stage, point);
    for (const [file, content] of Object.entries(await look(root))) {
      if (isByTools && !allowed.has(content)) throw new Error(`${file} holds ${JSON.stringify(content)}`);
    }
    const left = await takeBack(openCopies(base));
    if (left.length > 0) throw new Error(`left: ${left.join("; ")}`);
    const last = await look(root);
    if (JSON.stringify(last) !== JSON.stringify(first)) throw new Error(`not as before: ${JSON.stringify(last)}`);
    return isKilled;
  } catch (cause) {
    throw new Error(`${stage}, killed at ${point}: ${(cause as Error).message}`, { cause });
  } finally {
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** All that a file may ever hold. */
const allowed = new Set([
  ...["644 main: old\n", "644 part: old\n", "644 main: new\n", "644 part: new\n", "644 new\n"],
  ...["old", "once", "twice"].map((word) => `754 #!/bin/sh\n${word}\n`),
]);

async function killProcess(base: string, stage: Stage, point: number): Promise<boolean> {
  const script = fileURLToPath(new URL("killed-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, base, stage, String(point)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`the process ended with ${code ?? signal}`);
  return signal === "SIGKILL";
}

async function stopHere(base: string, stage: Stage, point: number): Promise<boolean> {
  let stop = () => {};
  const stopped = new Promise<true>((resolve) => {
    stop = () => resolve(true);
  });
  const end = await passPoints(point, () => {
    stop();
    return new Promise<never>(() => {});
  });
  try {
    return await Promise.race([stopped, act(base, stage).then(() => false)]);
  } finally {
    await end();
  }
}
