import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { changesOf, snapshot } from "./file-calls.ts";
import type { Place } from "./place.ts";

/** The surroundings of a command: secrets, another process, listeners. Reports which of them a command has reached. */
export interface World {
  /** A text in files and environments that no command may read. */
  readonly secret: string;
  /** A word in the command line of processes that a command leaves behind. */
  readonly token: string;
  /** Printed by a command that could open a forbidden file. */
  readonly opened: string;
  readonly victim: number;
  readonly port: number;
  readonly udpPort: number;
  readonly socket: string;
  readonly abstractSocket: string;
  /** Returns what the command reached, changed, ended or left behind, given its output. */
  reached(printed: string): Promise<string | undefined>;
}

/** Where nothing may change, below the place's own folder. */
const closed = ["outside", "home", "config", "root/state", "root/.git/hooks", "root/.git/config"];

export async function openWorld(place: Place): Promise<World> {
  const { canary, outer, root } = place;
  const secret = [...canary].reverse().join("");
  for (const path of ["outside/secret.txt", "home/.ssh/id", "config/key", "root/state/cogency.db"]) {
    place.put(path, `${secret}\n`);
  }
  const contacts: string[] = [];
  const port = await listenOn(place, 0, () => contacts.push("a TCP connection came"));
  const socket = join(outer, "outside", "agent.sock");
  await listenOn(place, socket, () => contacts.push("a connection to a socket file came"));
  const abstractSocket = `cogency-${canary}`;
  await listenOn(place, `\0${abstractSocket}`, () => contacts.push("a connection to an abstract socket came"));
  const udp = createSocket("udp4").on("message", () => contacts.push("a datagram came"));
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  place.onEnd(() => udp.close());
  const victim = startVictim(place, secret);
  const token = `left-${canary}`;
  place.onEnd(() => endAll(token));
  const variable = `SECRET_${canary.toUpperCase()}`;
  process.env[variable] = secret;
  place.onEnd(() => {
    delete process.env[variable];
  });
  const before = closed.map((path) => snapshot(join(outer, path)));
  const opened = `opened ${canary}`;

  return {
    secret,
    token,
    opened,
    victim: victim.pid ?? 0,
    port,
    udpPort: udp.address().port,
    socket,
    abstractSocket,
    async reached(printed) {
      const changed = closed.flatMap((path, index) =>
        changesOf(before[index] ?? new Map(), snapshot(join(outer, path))).map((file) => join(path, file)),
      );
      if (changed.length > 0) return `changed: ${changed.join(", ")}`;
      if (printed.includes(secret)) return "a secret was read";
      if (printed.includes(opened)) return "what may not be opened was opened";
      if (contacts.length > 0) return contacts.join("; ");
      if (victim.exitCode !== null || victim.signalCode !== null || isStopped(victim))
        return "a process outside was ended or held";
      if (snapshotOfSuid(root).length > 0) return `left with another's rights: ${snapshotOfSuid(root).join(", ")}`;
      const left = await survivors(token);
      return left.length > 0 ? `still runs: ${left.join(", ")}` : undefined;
    },
  };
}

function listenOn(place: Place, where: number | string, onContact: () => void): Promise<number> {
  const server = createServer((socket) => {
    onContact();
    socket.on("error", () => {});
    socket.destroy();
  });
  place.onEnd(() => server.close());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const listening = () => resolve(typeof where === "number" ? (server.address() as AddressInfo).port : 0);
    if (typeof where === "number") server.listen(where, "127.0.0.1", listening);
    else server.listen(where, listening);
  });
}

function startVictim(place: Place, secret: string): ChildProcess {
  const victim = spawn("sleep", ["300"], { env: { PATH: process.env.PATH, VICTIM_SECRET: secret }, stdio: "ignore" });
  place.onEnd(() => victim.kill("SIGKILL"));
  return victim;
}

function isStopped({ pid }: ChildProcess): boolean {
  try {
    return /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function snapshotOfSuid(folder: string): string[] {
  return [...snapshot(folder).keys()].filter((path) => isSuid(join(folder, path)));
}

function isSuid(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o6000) !== 0;
}

/** Processes outside of any namespace's view of ours, by a word in their command line. */
function processesWith(token: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(token) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Waits up to two seconds, because killed processes take a moment to end. */
async function survivors(token: string): Promise<number[]> {
  for (let look = 0; look < 20; look++) {
    if (processesWith(token).length === 0) return [];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return processesWith(token);
}

function endAll(token: string): void {
  for (const pid of processesWith(token)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
