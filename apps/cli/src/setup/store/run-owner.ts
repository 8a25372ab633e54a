import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * This process as the owner of a lease: a name by which any other process on this machine can tell whether it still
 * lives, and a person where to look.
 */
export function runOwner(): string {
  return `process ${process.pid} on ${host()} (${machine()}:${startOf(process.pid) ?? "?"})`;
}

/**
 * Whether the process that owns a lease is known to be gone: it ran on this machine, since it was last started, and there
 * is none of its number, or one that began at another time. Of other machines nothing is known.
 */
export function isGone(owner: string): boolean {
  const parts = pattern.exec(owner)?.groups;
  if (!parts || parts.host !== host() || parts.machine !== machine()) return false;
  const pid = Number(parts.pid);
  if (!isRunning(pid)) return true;
  const start = startOf(pid);
  return start !== undefined && parts.start !== "?" && start !== parts.start;
}

/** The process in an owner's name, as a person reads it; undefined for a name of another kind. */
export function processOf(owner: string): string | undefined {
  return /^process \d+ on \S+/.exec(owner)?.[0];
}

const pattern = /^process (?<pid>\d+) on (?<host>\S+) \((?<machine>[^():]*):(?<start>[^():]+)\)/;

function host(): string {
  return hostname().replaceAll(/[\s()]/g, "-") || "-";
}

/** Numbers of processes mean something only until the machine starts anew, and within one container. */
function machine(): string {
  const boot = attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) ?? "";
  const container = attempt(() => readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "")) ?? "";
  return [boot, container].filter((part) => part !== "").join(".");
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return stateOf(pid)?.[0] !== "Z";
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When it began, in ticks since the machine was started; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  return stateOf(pid)?.[19];
}

/** The fields of proc(5)'s stat after the name of the program, which may hold anything. */
function stateOf(pid: number): string[] | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
