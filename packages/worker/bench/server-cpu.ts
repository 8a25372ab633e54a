import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of processor time that a server of PostgreSQL has used so far, with its connections, those that have ended too. Linux only. */
export function serverCpu(pid: number): number {
  let ticks = 0;
  for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(name);
    if (!fields) continue;
    const [parent, user, system, userOfEnded, systemOfEnded] = [1, 11, 12, 13, 14].map((index) =>
      Number(fields[index]),
    );
    if (Number(name) === pid) ticks += (user ?? 0) + (system ?? 0) + (userOfEnded ?? 0) + (systemOfEnded ?? 0);
    else if (parent === pid) ticks += (user ?? 0) + (system ?? 0);
  }
  return ticks * 10;
}

/** The fields after the name, from the state on. */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    // It has ended.
    return undefined;
  }
}
