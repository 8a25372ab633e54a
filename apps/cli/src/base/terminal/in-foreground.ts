import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Whether this process has its terminal. One in the background that reads from it is stopped by the system. */
export function isInForeground(): boolean {
  try {
    const [own, foreground] = process.platform === "linux" ? groupsOfLinux() : groupsByPs();
    return own !== undefined && own === foreground;
  } catch {
    return false;
  }
}

type Groups = (string | undefined)[];

/** `pid (name) state parent group session terminal group-of-the-terminal`, where the name may hold anything. */
function groupsOfLinux(): Groups {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return [group, foreground];
}

function groupsByPs(): Groups {
  const { stdout } = spawnSync("/bin/ps", ["-o", "pgid=,tpgid=", "-p", `${process.pid}`], { encoding: "utf8" });
  return stdout.trim().split(/\s+/);
}
