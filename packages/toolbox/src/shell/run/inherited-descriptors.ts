import { openSync, readdirSync, readFileSync } from "node:fs";

type Stdio = ("ignore" | "pipe" | number)[];

/**
 * Keeps a program from inheriting the files, sockets and pipes that this process was started with. Node passes on descriptors
 * beyond a gap in `stdio`, so each is replaced by /dev/null. Does nothing if the system does not list the descriptors of a
 * process.
 */
export function withoutInherited(stdio: Stdio): Stdio {
  const inherited = descriptors().filter((descriptor) => descriptor >= stdio.length && isInherited(descriptor));
  if (inherited.length === 0) return stdio;
  nullDevice ??= openSync("/dev/null", "r+");
  const all: Stdio = [...stdio];
  const highest = Math.max(...inherited);
  for (let at = stdio.length; at <= highest; at++) all.push(inherited.includes(at) ? nullDevice : "ignore");
  return all;
}

let nullDevice: number | undefined;

function descriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

/** Whether a started program inherits the descriptor: it lacks the flag close-on-exec. */
function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}

const closeOnExec = 0o2000000;
