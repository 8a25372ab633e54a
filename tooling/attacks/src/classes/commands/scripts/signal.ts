import type { Script } from "./script.ts";

/** Scripts that signal, trace or change a process outside of the sandbox. */
export const signalScripts: readonly Script[] = [
  ["kill a process outside", ({ victim }) => `kill -9 ${victim}`],
  ["stop a process outside", ({ victim }) => `kill -STOP ${victim}`],
  ["signal a process outside by perl", ({ victim }) => `perl -e 'kill 15, ${victim}'`],
  [
    "change the limits of a process outside",
    ({ opened, victim }) => `prlimit --pid ${victim} --nofile=16:16 && echo ${opened}`,
  ],
  ["change the priority of a process outside", ({ opened, victim }) => `renice 19 -p ${victim} && echo ${opened}`],
  [
    "trace a process outside",
    ({ opened, victim }) => `timeout 3 strace -o t -p ${victim} & sleep 1; grep -q . t && echo ${opened}`,
  ],
  [
    "read the memory of a process outside",
    ({ victim, opened }) => `head -c 1 /proc/${victim}/maps | grep -q . && echo ${opened}`,
  ],
];
