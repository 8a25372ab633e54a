import type { Script } from "./script.ts";

/** Scripts that read files outside of the root, or the store in it. */
export const readingScripts: readonly Script[] = [
  ["read a file outside by its path", ({ place }) => `cat ${place.outer}/outside/secret.txt`],
  ["read a file outside from below", () => "cat ../outside/secret.txt"],
  ["read a file outside through a link", () => "ln -s ../outside way; cat way/secret.txt"],
  [
    "read a file outside through /proc/self/root",
    ({ place }) => `cat /proc/self/root${place.outer}/outside/secret.txt`,
  ],
  [
    "read a file outside through the root of process 1",
    ({ place }) => `cat /proc/1/root${place.outer}/outside/secret.txt`,
  ],
  [
    "read a file outside through the parent's root",
    ({ place }) => `cat /proc/$PPID/root${place.outer}/outside/secret.txt`,
  ],
  ["read a file outside through the parent's folder", () => "cat /proc/$PPID/cwd/../outside/secret.txt"],
  [
    "read a file outside through another process's root",
    ({ place, victim }) => `cat /proc/${victim}/root${place.outer}/outside/secret.txt`,
  ],
  ["pack a folder outside", ({ place }) => `tar -cf - ${place.outer}/outside 2>/dev/null | tr -d '\\000'`],
  ["search for it everywhere", ({ place }) => `grep -rhs . ${place.outer} /tmp /root /home --include=secret.txt`],
  ["hard link a file outside into the root", ({ place }) => `ln ${place.outer}/outside/secret.txt here; cat here`],
  ["read the user's key", () => 'cat "$HOME/.ssh/id" ~/.ssh/id'],
  ["read the user's key by the account's folder", ({ place }) => `cat ${place.home}/.ssh/id`],
  ["read the app's key", ({ place }) => `cat ${place.outer}/config/key`],
  ["read the store in the root", () => "cat state/cogency.db"],
  ["copy the store in the root", () => "cp -r state copied; cat copied/*"],
  ["read the store through a link", () => "ln -s state/cogency.db way; cat way"],
  ["read the store by way of /proc/self/cwd", () => "cat /proc/self/cwd/state/cogency.db"],
  ["read the store through an open folder", () => "exec 3<state; cat /proc/self/fd/3/cogency.db"],
];
