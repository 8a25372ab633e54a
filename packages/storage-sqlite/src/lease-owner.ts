import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * This process as the owner of a lease. Any other process on this machine can tell from the name whether this process
 * still runs, and a person can tell where to look.
 *
 * @example leaseOwner() // "process 4711 on laptop (5f0c…e1.4026531836:8123456)"
 */
export function leaseOwner(): string {
  return `process ${process.pid} on ${host()} (${machine()}:${startOf(process.pid) ?? "?"})`;
}

/**
 * Whether the process that owns a lease is known to have ended. False for a process of another machine, of another
 * container or of an earlier start of this machine, and for a name that `leaseOwner` did not make: their lease has to
 * expire.
 */
export function isOwnerGone(owner: string): boolean {
  const parts = pattern.exec(owner)?.groups;
  if (!parts || parts.host !== host() || parts.machine !== machine()) return false;
  const pid = Number(parts.pid);
  if (!isRunning(pid)) return true;
  // Another process may have the number now.
  const start = startOf(pid);
  return start !== undefined && parts.start !== "?" && start !== parts.start;
}

/**
 * The readable part of an owner's name, such as `process 4711 on laptop`; undefined if `leaseOwner` did not make it.
 */
export function processOfOwner(owner: string): string | undefined {
  return /^process \d+ on \S+/.exec(owner)?.[0];
}

const pattern = /^process (?<pid>\d+) on (?<host>\S+) \((?<machine>[^():]*):(?<start>[^():]+)\)/;

function host(): string {
  return hostname().replaceAll(/[\s()]/g, "-") || "-";
}

/** The start of this machine and the container: a process number is unique only within both. */
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
    // The process runs under another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When the process started, in ticks since the machine did; undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  return stateOf(pid)?.[19];
}

/** The fields of /proc/<pid>/stat (proc(5)) after the program's name, which may contain spaces and parentheses. */
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
