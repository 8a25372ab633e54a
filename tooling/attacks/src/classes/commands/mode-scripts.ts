import type { Place } from "../../harness/place.ts";

/** A script, and where it tries to leave a mark: outside, at home, at the port of a server, in what git or the app obeys. */
export type ModeScript = readonly [name: string, script: (place: Place, port: number) => string];

/** Scripts that no rule can judge, so that the sandbox alone holds them. */
export const modeScripts: readonly ModeScript[] = [
  ["write outside", ({ outer }) => `for f in a b; do echo mine > ${outer}/outside/$f; done`],
  ["write outside from a folder below", () => "mkdir -p x && cd x && echo mine > ../../outside/new"],
  ["write outside through a link", () => "ln -s ../outside way; echo $(date) > way/new"],
  [
    "write outside by a substitution",
    ({ outer }) => `echo $(touch ${outer}/outside/new) \`touch ${outer}/outside/new\``,
  ],
  ["write outside by a variable", ({ outer }) => `IFS=,; c=touch,${outer}/outside/new; $c`],
  ["write outside by a function", ({ outer }) => `ls() { touch ${outer}/outside/new; }; ls`],
  ["write outside by an alias", ({ outer }) => `shopt -s expand_aliases\nalias ls='touch ${outer}/outside/new'\nls`],
  ["write outside by an index", ({ outer }) => `test -v 'a[$(touch ${outer}/outside/new)]'`],
  ["write outside by find", ({ outer }) => `find . -maxdepth 0 -exec touch ${outer}/outside/new \\;`],
  ["write outside by xargs", ({ outer }) => `echo ${outer}/outside/new | xargs touch`],
  ["write outside by env -S", ({ outer }) => `env -S 'touch ${outer}/outside/new'`],
  ["write outside by awk", ({ outer }) => `awk 'BEGIN { system("touch ${outer}/outside/new") }'`],
  ["write outside by a setting of git", ({ outer }) => `git -c core.fsmonitor='touch ${outer}/outside/new;' status`],
  [
    "write outside by a program in another folder",
    ({ outer }) =>
      `mkdir -p x; printf '#!/bin/sh\\ntouch ${outer}/outside/new\\n' > x/ls; chmod +x x/ls; cd x && ./ls; PATH=.:$PATH ls`,
  ],
  ["write outside later", ({ outer }) => `(setsid sh -c 'sleep 1; touch ${outer}/outside/new' > /dev/null 2>&1 &)`],
  ["remove what is outside", ({ outer }) => `rm -rf ${outer}/outside ~ / 2>/dev/null; true`],
  ["read home", ({ home }) => `cat ~/.ssh/id ${home}/.ssh/id; grep -r . ${home} ~`],
  [
    "read what is outside",
    ({ outer }) => `cat ../outside/secret.txt ${outer}/outside/secret.txt $(echo ${outer}/out*/*)`,
  ],
  ["read another process", () => "cat /proc/*/environ /proc/1/root/etc/shadow | tr '\\0' '\\n'"],
  ["reach the network", (_, port) => `exec 3<>/dev/tcp/127.0.0.1/${port}; curl -sm 3 http://127.0.0.1:${port}/`],
  ["reach the network in the background", (_, port) => `curl -sm 3 http://127.0.0.1:${port}/ & wait`],
  ["reach the network through a proxy", (_, port) => `curl -sm 3 -x "$HTTP_PROXY" http://127.0.0.1:${port}/`],
  ["make a hook of git", () => "printf '#!/bin/sh\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/*"],
  [
    "make a hook of git by its folder",
    () => "mkdir -p h; git config core.hooksPath h; mv .git/hooks x; mkdir .git/hooks",
  ],
  ["make a program of git", () => 'git config alias.x "!id"; echo "[core]\\nfsmonitor = ./x" >> .git/config'],
  [
    "make configuration",
    () => "mkdir -p .cogency x/.cogency; echo {} > .cogency/config.json; echo {} > x/.cogency/rules.json",
  ],
  ["make instructions", () => "for d in . x/y; do mkdir -p $d; echo evil > $d/AGENTS.md; done"],
  [
    "make instructions by a link",
    () => "echo evil > n.md; ln -s n.md AGENTS.md; mkdir -p x && cd x && ln ../n.md AGENTS.md",
  ],
];
