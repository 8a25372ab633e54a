import { openSync, readdirSync, readFileSync } from "node:fs";

type Stdio = ("ignore" | "pipe" | number)[];

/**
 * Adds what keeps a program from what this process was itself started with: files, sockets and pipes on higher descriptors,
 * which Node passes on where there is a gap before them. Each is replaced by the empty device. Where the system does not
 * show the descriptors of a process, nothing is added.
 */
export function withoutInherited(stdio: Stdio): Stdio {
  const inherited = descriptors().filter((descriptor) => descriptor >= stdio.length && isPassedOn(descriptor));
  if (inherited.length === 0) return stdio;
  empty ??= openSync("/dev/null", "r+");
  const all: Stdio = [...stdio];
  const highest = Math.max(...inherited);
  for (let at = stdio.length; at <= highest; at++) all.push(inherited.includes(at) ? empty : "ignore");
  return all;
}

let empty: number | undefined;

function descriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

/** Whether a started program gets it: it is not marked as closed on exec. */
function isPassedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    return false;
  }
}

const closedOnExec = 0o2000000;
