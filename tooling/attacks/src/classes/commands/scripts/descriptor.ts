import type { Script } from "./script.ts";

/** Scripts that use open files or the terminal of the host. */
export const descriptorScripts: readonly Script[] = [
  [
    "list what is open, and read it",
    () => "for f in /proc/self/fd/* /proc/$PPID/fd/*; do timeout 1 head -c 4096 $f; done 2>/dev/null | tr -d '\\000'",
  ],
  [
    "read what the host has open",
    ({ place }) =>
      `ls -l /proc/[0-9]*/fd 2>/dev/null | grep ${place.outer}/outside && cat ${place.outer}/outside/secret.txt`,
  ],
  ["open the terminal", ({ opened }) => `(exec 3<>/dev/tty) && echo ${opened}`],
];
