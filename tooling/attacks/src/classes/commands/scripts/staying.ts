import type { Script } from "./script.ts";

/** Scripts that leave a process behind. */
export const stayingScripts: readonly Script[] = [
  [
    "stay behind in a session of its own",
    ({ token }) => `setsid sh -c 'while :; do sleep 1; done' ${token} >/dev/null 2>&1 </dev/null & sleep 0.2`,
  ],
  [
    "stay behind by forking twice",
    ({ token }) =>
      `(setsid sh -c 'trap "" HUP TERM INT; (while :; do sleep 1; done) & while :; do sleep 1; done' ${token} >/dev/null 2>&1 </dev/null &) & sleep 0.2`,
  ],
  [
    "stay behind without a parent",
    ({ token }) =>
      `perl -e 'exit if fork; use POSIX; setsid(); exit if fork; close $_ for 0..2; exec "sh","-c","while :; do sleep 1; done","${token}"'; sleep 0.2`,
  ],
  [
    "stay behind at the time limit",
    ({ token }) =>
      `setsid sh -c 'trap "" TERM; while :; do sleep 1; done' ${token} >/dev/null 2>&1 </dev/null & sleep 60`,
  ],
  [
    "stay behind in a namespace",
    ({ token }) =>
      `unshare -Urpf --mount-proc sh -c 'while :; do sleep 1; done' ${token} >/dev/null 2>&1 </dev/null & sleep 0.2`,
  ],
  [
    "stay behind in a terminal of its own",
    ({ token }) =>
      `script -qfc "sh -c 'while :; do sleep 1; done' ${token}" /dev/null >/dev/null 2>&1 </dev/null & sleep 0.3`,
  ],
  [
    "stay behind as a server of tmux",
    ({ token }) => `tmux -L ${token} new-session -d "sh -c 'while :; do sleep 1; done' ${token}"; sleep 0.3`,
  ],
  [
    "stay behind as an agent of ssh",
    ({ token }) =>
      `ssh-agent sh -c 'setsid sh -c "while :; do sleep 1; done" ${token} >/dev/null 2>&1 </dev/null &'; sleep 0.2`,
  ],
];
