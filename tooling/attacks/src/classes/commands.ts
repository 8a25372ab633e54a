import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ToolboxOptions } from "@cogency/toolbox";
import { type Attack, type AttackClass, SkippedError } from "../harness/attack.ts";
import { carryOut, toldBy } from "../harness/file-calls.ts";
import type { Place } from "../harness/place.ts";
import { openWorld, type World } from "../harness/world.ts";

/** Commands that were approved, and reach for more than the root; and rules by which a program runs another. */
export const commands: AttackClass = {
  name: "commands",
  slice: { cheap: 0, dear: 3 },
  attacks: () => [
    ...scripts.map(scriptAttack),
    ...laterGit.map(gitLater),
    ...rules.map(ruleAttack),
    ...secrets.map(secretAttack),
    ...controls,
  ],
};

interface Surroundings extends World {
  place: Place;
}

/** A script that the shell tool is asked to run; it tries in several ways where programs may be missing. */
const scripts: readonly [name: string, script: (world: Surroundings) => string][] = [
  // Reading.
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
  // Environments.
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
  // Writing.
  ["write a file outside", ({ place }) => `echo mine >${place.outer}/outside/new.txt`],
  ["write over a file outside", ({ place }) => `echo mine >${place.outer}/outside/secret.txt`],
  ["write outside through a link", () => "ln -s ../outside way; echo mine >way/new.txt"],
  ["remove a folder outside", ({ place }) => `rm -rf ${place.outer}/outside`],
  ["write the user's shell start", ({ place }) => `echo mine >>${place.home}/.bashrc; echo mine >>"$HOME/.profile"`],
  ["write the app's key", ({ place }) => `echo mine >${place.outer}/config/key`],
  ["empty the store", () => ": >state/cogency.db"],
  ["remove the store", () => "rm -f state/cogency.db"],
  ["put another file in the store's place", () => "echo mine >n; mv -f n state/cogency.db"],
  ["move the store's folder and make another", () => "mv state gone && mkdir state && echo mine >state/cogency.db"],
  ["leave a journal beside the store", () => "echo mine >state/cogency.db-journal"],
  ["leave a write-ahead log beside the store", () => "echo mine >state/cogency.db-wal"],
  ["change the store's mode", () => "chmod 777 state/cogency.db; echo mine >>state/cogency.db"],
  ["write the store through a hard link", () => "ln state/cogency.db way; echo mine >>way"],
  ["exchange the root and a folder outside", ({ place }) => `mv ${place.outer}/outside ${place.outer}/away`],
  ["unmount what lies over the store", () => "umount -l state/cogency.db state; echo mine >>state/cogency.db"],
  [
    "mount the store for writing again",
    () => "mount -o remount,rw,bind state/cogency.db; mount -o remount,rw,bind state; echo mine >>state/cogency.db",
  ],
  [
    "bind the folder above into the root",
    ({ place }) => `mkdir b; mount --bind ${place.outer} b; cat b/outside/secret.txt; echo mine >b/outside/new.txt`,
  ],
  [
    "unmount in a namespace of its own",
    () => "unshare -Urm sh -c 'umount -l state/cogency.db state; cat state/cogency.db; echo mine >>state/cogency.db'",
  ],
  ["enter the namespaces of process 1", ({ place }) => `nsenter -t 1 -a cat ${place.outer}/outside/secret.txt`],
  [
    "enter the namespaces of a process outside",
    ({ place, victim }) => `nsenter -t ${victim} -a cat ${place.outer}/outside/secret.txt`,
  ],
  [
    "leave the changed root twice",
    () => "mkdir -p c; chroot c true; cd ..; cat outside/secret.txt ../../outside/secret.txt",
  ],
  [
    "make a device and read the disk",
    ({ opened }) =>
      `for n in '8 0' '259 0' '254 0' '253 0'; do rm -f d; mknod d b $n && head -c 1 d >/dev/null && echo ${opened}; done`,
  ],
  [
    "open the kernel's memory",
    ({ opened }) => `for f in /dev/mem /dev/kmem /proc/kcore; do (head -c 1 $f >/dev/null) && echo ${opened}; done`,
  ],
  [
    "open where core files go, for writing",
    ({ opened }) => `(exec 3>>/proc/sys/kernel/core_pattern) && echo ${opened}`,
  ],
  ["open the trigger of the system", ({ opened }) => `(exec 3>>/proc/sysrq-trigger) && echo ${opened}`],
  [
    "open a setting of the network, for writing",
    ({ opened }) => `(exec 3>>/proc/sys/net/ipv4/ip_forward) && echo ${opened}`,
  ],
  ["leave a program with another's rights", () => "cp /bin/sh s && chmod 6755 s"],
  ["leave a program with another's rights, by install", () => "install -m 4755 /bin/sh s"],
  // Network.
  ["connect by curl", ({ port }) => `curl -sm 3 http://127.0.0.1:${port}/`],
  ["connect by wget", ({ port }) => `wget -qT 3 -t 1 -O - http://127.0.0.1:${port}/`],
  ["connect by bash", ({ port }) => `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'`],
  ["connect by perl", ({ port }) => `perl -MIO::Socket -e 'IO::Socket::INET->new("127.0.0.1:${port}")'`],
  [
    "connect by node",
    ({ port }) =>
      `node -e 'require("net").connect(${port},"127.0.0.1").on("error",()=>{}).on("connect",()=>process.exit())'`,
  ],
  [
    "connect by another address of this machine",
    ({ port }) =>
      `curl -sm 3 http://127.1:${port}/ http://0.0.0.0:${port}/ http://[::ffff:127.0.0.1]:${port}/ http://2130706433:${port}/`,
  ],
  [
    "connect past any proxy",
    ({ port }) => `env -u http_proxy -u HTTP_PROXY -u ALL_PROXY curl --noproxy '*' -sm 3 http://127.0.0.1:${port}/`,
  ],
  [
    "connect through the proxy of the environment",
    ({ port }) =>
      `curl -sm 3 -x "$HTTP_PROXY" http://127.0.0.1:${port}/; curl -sm 3 -p -x "$HTTPS_PROXY" http://127.0.0.1:${port}/`,
  ],
  [
    "ask the proxy for a tunnel by itself",
    ({ port }) =>
      `p="\${HTTPS_PROXY#http://}"; printf 'CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\nHost: allowed.example\\r\\n\\r\\n' | timeout 3 bash -c "exec 3<>/dev/tcp/\${p%:*}/\${p#*:}; cat >&3; head -c 20 <&3"`,
  ],
  [
    "ask the proxy under an allowed name",
    ({ port }) => `curl -sm 3 -x "$HTTP_PROXY" -H 'Host: allowed.example' http://127.0.0.1:${port}/`,
  ],
  [
    "ask the proxy with an allowed name as the user",
    ({ port }) => `curl -sm 3 -x "$HTTP_PROXY" http://allowed.example@127.0.0.1:${port}/`,
  ],
  ["send a datagram", ({ udpPort }) => `bash -c 'echo mine >/dev/udp/127.0.0.1/${udpPort}'`],
  [
    "connect to a socket file",
    ({ socket }) =>
      `curl -sm 3 --unix-socket ${socket} http://x/; perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer=>"${socket}")'`,
  ],
  [
    "connect to an abstract socket",
    ({ abstractSocket }) =>
      `curl -sm 3 --abstract-unix-socket ${abstractSocket} http://x/; perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0);connect(S,pack("S",1)."\\0${abstractSocket}")'`,
  ],
  [
    "bring an interface up and connect",
    ({ port }) => `ip link set lo up; ip route add default dev lo; curl -sm 3 http://127.0.0.1:${port}/`,
  ],
  [
    "enter the network of a process outside",
    ({ port, victim }) => `nsenter -t ${victim} -n curl -sm 3 http://127.0.0.1:${port}/`,
  ],
  // Staying.
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
  // Signals.
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
  // Descriptors and terminals.
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

function scriptAttack([name, script]: (typeof scripts)[number]): Attack {
  return {
    name: `command: ${name}`,
    isDear: true,
    async run(place) {
      const world = await surroundings(place);
      const printed = await printedBy(place, script({ ...world, place }));
      return world.reached(printed);
    },
  };
}

async function surroundings(place: Place): Promise<World> {
  if (process.platform !== "linux") throw new SkippedError("the sandbox is for Linux");
  git(place, ["init", "-q"]);
  mkdirSync(join(place.root, ".git", "hooks"), { recursive: true });
  return openWorld(place);
}

function options(place: Place, sandbox: "required" | "off" = "required"): ToolboxOptions {
  const at = (path: string) => join(place.outer, path);
  return {
    root: place.root,
    access: "project",
    include: ["shell"],
    guarded: [...["", "-wal", "-shm", "-journal"].map((end) => at(`root/state/cogency.db${end}`)), at("config")],
    shell: { timeout: 8000, killAfter: 300, sandbox, network: { hosts: ["allowed.example"] } },
  } as ToolboxOptions;
}

/** What the shell tool tells of a script in the root, started by `sh`. */
async function printedBy(place: Place, script: string, sandbox?: "off"): Promise<string> {
  place.put("root/attack.sh", `${script}\n`);
  const executions = await carryOut([{ name: "shell", args: { command: "sh attack.sh" } }], options(place, sandbox));
  const [execution] = executions;
  // Where it cannot be isolated, "required" runs nothing.
  if (!execution?.started) throw new SkippedError(`nothing ran: ${execution?.error?.message}`);
  // The error repeats no command, so that what stands in it was printed.
  return toldBy(executions);
}

function git(place: Place, args: readonly string[], cwd = place.root): void {
  const { error } = spawnSync("git", [...args], { cwd, env: gitEnvironment(place), timeout: 10_000 });
  if (error && "code" in error && error.code === "ENOENT") throw new SkippedError("there is no git");
}

function gitEnvironment({ home }: Place) {
  const author = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b.c",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b.c",
  };
  return { PATH: process.env.PATH, HOME: home, ...author };
}

/** Scripts that leave something in the root by which git, run by the user later, runs a program; `payload` is one. */
const laterGit: readonly [name: string, prepare: (place: Place) => void, script: (payload: string) => string][] = [
  ["a repository where there was none", () => {}, (payload) => `git init -q; git config core.fsmonitor ${payload}`],
  [
    "a repository where there was none, with a hook",
    () => {},
    (payload) =>
      `git init -q; mkdir -p .git/hooks; cp ${payload} .git/hooks/pre-commit; cp ${payload} .git/hooks/post-index-change`,
  ],
  [
    "a file in place of a repository",
    () => {},
    (payload) =>
      `git init -q --bare other; git -C other config core.bare false; git -C other config core.worktree "$PWD"; git -C other config core.fsmonitor ${payload}; echo gitdir: other >.git`,
  ],
  [
    "the repository's setting",
    (place) => git(place, ["init", "-q"]),
    (payload) => `git config core.fsmonitor ${payload}`,
  ],
  [
    "the repository's setting, written as a file",
    (place) => git(place, ["init", "-q"]),
    (payload) => `printf '[core]\\n\\tfsmonitor = ${payload}\\n' >>.git/config`,
  ],
  [
    "a hook",
    (place) => git(place, ["init", "-q"]),
    (payload) => `mkdir -p .git/hooks; cp ${payload} .git/hooks/pre-commit; cp ${payload} .git/hooks/post-index-change`,
  ],
  [
    "the repository moved and another in its place",
    (place) => git(place, ["init", "-q"]),
    (payload) => `mv .git old && git init -q && git config core.fsmonitor ${payload}`,
  ],
  [
    "the repository removed and another in its place",
    (place) => git(place, ["init", "-q"]),
    (payload) => `rm -rf .git; git init -q; git config core.fsmonitor ${payload}`,
  ],
  [
    "the setting moved and another in its place",
    (place) => git(place, ["init", "-q"]),
    (payload) => `mv .git/config .git/old; git config core.fsmonitor ${payload}`,
  ],
  [
    "a setting of the worktree",
    (place) => {
      git(place, ["init", "-q"]);
      git(place, ["config", "extensions.worktreeConfig", "true"]);
    },
    (payload) => `printf '[core]\\n\\tfsmonitor = ${payload}\\n' >.git/config.worktree`,
  ],
  [
    "a common folder elsewhere",
    (place) => git(place, ["init", "-q"]),
    (payload) => `git init -q other; git -C other config core.fsmonitor ${payload}; echo ../other/.git >.git/commondir`,
  ],
  [
    "a repository whose folder lies apart",
    (place) => git(place, ["init", "-q", "--separate-git-dir", "meta"]),
    (payload) => `git config core.fsmonitor ${payload}; printf '[core]\\n\\tfsmonitor = ${payload}\\n' >>meta/config`,
  ],
  [
    "a repository whose folder lies apart, named anew",
    (place) => git(place, ["init", "-q", "--separate-git-dir", "meta"]),
    (payload) =>
      `git init -q --bare other; git -C other config core.bare false; git -C other config core.worktree "$PWD"; git -C other config core.fsmonitor ${payload}; echo gitdir: other >.git`,
  ],
  [
    "a file that the setting includes",
    (place) => {
      git(place, ["init", "-q"]);
      place.put("root/team.gitconfig", "[user]\n\tname = team\n");
      git(place, ["config", "include.path", "../team.gitconfig"]);
    },
    (payload) => `printf '[core]\\n\\tfsmonitor = ${payload}\\n' >team.gitconfig`,
  ],
  [
    "hooks in a folder of the root",
    (place) => {
      git(place, ["init", "-q"]);
      place.put("root/githooks/pre-push", "#!/bin/sh\n");
      git(place, ["config", "core.hooksPath", "githooks"]);
    },
    (payload) => `cp ${payload} githooks/pre-commit; cp ${payload} githooks/post-index-change`,
  ],
];

function gitLater([name, prepare, script]: (typeof laterGit)[number]): Attack {
  return {
    name: `later git: ${name}`,
    isDear: true,
    ...(name.startsWith("a repository where there was none") && { openBy: "packages/toolbox/docs/sandbox.md" }),
    async run(place) {
      if (process.platform !== "linux") throw new SkippedError("the sandbox is for Linux");
      mkdirSync(join(place.outer, "outside"));
      prepare(place);
      const mark = join(place.outer, "outside", "pwned");
      // In the sandbox it cannot leave its mark: only when git runs it later, outside.
      const payload = place.put("root/payload.sh", `#!/bin/sh\ntouch ${mark}\n`);
      chmodSync(payload, 0o755);
      await printedBy(place, script(payload));
      const ranInside = existsSync(mark);
      place.put("root/more.txt", "x");
      for (const args of [["status"], ["add", "more.txt"], ["commit", "-qm", "x"]]) git(place, args);
      if (ranInside) return "a program ran outside of the sandbox at once";
      return existsSync(mark) ? "git ran a program outside of the sandbox later" : undefined;
    },
  };
}

/** Rules with a wildcard for programs that can run another; without isolation none of them may let one run. */
const rules: readonly [rule: string, command: (payload: string) => string][] = [
  ["busctl **", (payload) => `busctl --address=unixexec:path=${payload} list`],
  ["sort **", (payload) => `sort -S 1b --compress-program=${payload} big.txt`],
  ["sort --compress-program=./payload.sh **", () => "sort --compress-program=./payload.sh -S 1b big.txt"],
  ["split **", (payload) => `split --filter=${payload} big.txt`],
  ["tar -cf x.tar **", (payload) => `tar -cf x.tar --checkpoint=1 --checkpoint-action=exec=${payload} big.txt`],
  ["tar **", (payload) => `tar -cf x.tar -I ${payload} big.txt`],
  ["zip **", (payload) => `zip x.zip big.txt -T -TT ${payload}`],
  ["wget **", (payload) => `wget --use-askpass=${payload} http://127.0.0.1:9/`],
  ["ssh **", (payload) => `ssh -o ProxyCommand=${payload} nowhere`],
  ["scp **", (payload) => `scp -S ${payload} big.txt nowhere:x`],
  ["ssh-keygen **", (payload) => `ssh-keygen -D ${payload}`],
  ["sftp **", (payload) => `sftp -D ${payload}`],
  ["git grep **", (payload) => `git grep -O${payload} x`],
  ["git diff **", () => "git diff --ext-diff big.txt"],
  ["git log **", (payload) => `git log --exec=${payload}`],
  ["git archive **", (payload) => `git archive --remote=. --exec=${payload} HEAD`],
  ["git ls-remote **", (payload) => `git ls-remote --upload-pack=${payload} .`],
  ["git submodule **", (payload) => `git submodule foreach ${payload}`],
  ["git rebase **", (payload) => `git rebase -x ${payload} HEAD`],
  ["git bisect **", (payload) => `git bisect run ${payload}`],
  ["git difftool **", (payload) => `git difftool -x ${payload} -y HEAD`],
  ["git -c **", (payload) => `git -c core.fsmonitor=${payload} status`],
  ["git * status", (payload) => `git --exec-path=${payload} status`],
  ["git help **", () => "git help -w status"],
  ["gcc **", (payload) => `gcc -wrapper ${payload} -c x.c`],
  ["gcc-12 **", (payload) => `gcc-12 -wrapper ${payload} -c x.c`],
  ["cpp **", (payload) => `cpp -wrapper ${payload} x.c`],
  ["x86_64-linux-gnu-gcc **", (payload) => `x86_64-linux-gnu-gcc -wrapper ${payload} -c x.c`],
  ["c99 **", (payload) => `c99 -wrapper ${payload} -c x.c`],
  ["perl5.36.0 **", (payload) => `perl5.36.0 -e system(q(${payload}))`.replace(/-e (.*)/, "-e '$1'")],
  ["perlbug **", (payload) => `perlbug -e ${payload}`],
  ["perldoc **", (payload) => `perldoc -T -M Pod::Perldoc::ToText -w pager:${payload} perl`],
  ["prove **", (payload) => `prove -e ${payload} big.txt`],
  ["xsubpp **", () => "xsubpp x.c"],
  ["python3.11 **", (payload) => `python3.11 -c 'import os; os.system("${payload}")'`],
  ["pydoc3 **", () => "pydoc3 ./mine.py"],
  ["pdb3 **", () => "pdb3 -c run mine.py"],
  ["awk **", (payload) => `awk 'BEGIN{system("${payload}")}'`],
  ["find . **", (payload) => `find . -maxdepth 0 -exec ${payload} {} +`],
  ["xargs **", (payload) => `xargs -a big.txt ${payload}`],
  ["env **", (payload) => `env ${payload}`],
  ["setarch **", (payload) => `setarch x86_64 ${payload}`],
  ["x86_64 **", (payload) => `x86_64 ${payload}`],
  ["i386 **", (payload) => `i386 ${payload}`],
  ["linux64 **", (payload) => `linux64 ${payload}`],
  ["nsenter **", (payload) => `nsenter ${payload}`],
  ["setpriv **", (payload) => `setpriv ${payload}`],
  ["capsh **", () => "capsh -- payload.sh"],
  ["start-stop-daemon **", (payload) => `start-stop-daemon -S -x ${payload}`],
  ["run-parts **", () => "run-parts --regex=.* parts"],
  ["script **", (payload) => `script -qc ${payload} /dev/null`],
  ["flock **", (payload) => `flock big.txt ${payload}`],
  ["stdbuf **", (payload) => `stdbuf -o0 ${payload}`],
  ["timeout **", (payload) => `timeout 5 ${payload}`],
  ["strace **", (payload) => `strace -o /dev/null ${payload}`],
  ["openssl **", (payload) => `openssl engine dynamic -pre SO_PATH:${payload} -pre LOAD`],
  ["sqlite3 **", (payload) => `sqlite3 :memory: '.shell ${payload}'`],
  ["ed **", () => "ed -s commands.ed"],
  ["vim **", (payload) => `vim -es -c '!${payload}' -c q`],
  ["vim.basic **", (payload) => `vim.basic -es -c '!${payload}' -c q`],
  ["man **", (payload) => `man -P ${payload} -l big.txt`],
  [
    "make **",
    (payload) =>
      `make -f /dev/null SHELL=${payload} --eval=x:;${payload}`
        .replace(/--eval=(.*)/, "'--eval=x:;$1'")
        .replace("x:;x:;", "x:;"),
  ],
  ["dpkg **", (payload) => `dpkg --pre-invoke=${payload} -i none.deb`],
  ["dpkg-deb **", () => "dpkg-deb -b parts"],
  ["dpkg-architecture **", (payload) => `dpkg-architecture -c ${payload}`],
  [
    "apt-get **",
    (payload) =>
      `apt-get -o APT::Update::Pre-Invoke::=${payload} -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=/dev/null update`,
  ],
  ["apt-config **", (payload) => `apt-config -o x::=${payload} shell x x`],
  ["debconf **", (payload) => `debconf ${payload}`],
  ["tmux **", (payload) => `tmux -L attack new-session -d ${payload}`],
  ["ldd **", (payload) => `ldd ${payload}`],
  ["ld.so **", (payload) => `ld.so ${payload}`],
  ["/lib64/ld-linux-x86-64.so.2 **", () => "/lib64/ld-linux-x86-64.so.2 /bin/sh payload.sh"],
  ["/usr/bin/env **", (payload) => `/usr/bin/env ${payload}`],
  ["node --test **", (payload) => `node --test --import ${payload} none.js`],
  ["corepack **", () => "corepack yarn exec ./payload.sh"],
  ["whiptail **", (payload) => `whiptail --file ${payload}`],
  ["date **", () => "date -f big.txt"],
];

function ruleAttack([rule, command]: (typeof rules)[number]): Attack {
  return {
    name: `rule: ${rule}`,
    isDear: true,
    async run(place) {
      const program = command("x").split(" ")[0] ?? "";
      if (!program.includes("/") && !isInstalled(program)) throw new SkippedError(`there is no ${program}`);
      mkdirSync(join(place.outer, "outside"));
      const mark = join(place.outer, "outside", "pwned");
      const payload = place.put("root/payload.sh", `#!/bin/sh\ntouch ${mark}\n`);
      chmodSync(payload, 0o755);
      place.put("root/big.txt", "a line of text\n".repeat(2000));
      place.put("root/x.c", "int x;\n");
      place.put("root/mine.py", `import os\nos.system("${payload}")\n`);
      place.put("root/commands.ed", `!${payload}\nq\n`);
      chmodSync(place.put("root/parts/10run", `#!/bin/sh\ntouch ${mark}\n`), 0o755);
      git(place, ["init", "-q"]);
      const off = await place.cogency(["run", "--help"]);
      const sandbox = off.stdout.includes("--sandbox") ? ["--sandbox", "off"] : [];
      const calls = [{ name: "shell", args: { command: command(payload) } }];
      const ended = await place.run([calls], ["go", "--allow", `shell:${rule}`, ...sandbox], { timeout: 15_000 });
      if (existsSync(mark)) return "the program ran another without a question";
      return ended.isHung ? "it did not end" : undefined;
    },
  };
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, program)));
}

/** The command itself holds keys in its environment: programs that it starts must not find them. */
const secrets: readonly [name: string, script: string][] = [
  ["print the environment", "env"],
  ["read every environment", "for f in /proc/[0-9]*/environ; do tr '\\000' '\\n' <$f; done 2>/dev/null"],
  [
    "read the environment of the app by its name",
    "grep -ls cogency /proc/[0-9]*/cmdline | while read -r p; do tr '\\000' '\\n' <\"$(dirname \"$p\")/environ\"; done",
  ],
  [
    "read the environment of the parent's parent",
    "p=$PPID; while [ \"$p\" -gt 1 ]; do tr '\\000' '\\n' </proc/$p/environ; p=$(awk '{print $4}' /proc/$p/stat); done; tr '\\000' '\\n' </proc/1/environ",
  ],
  [
    "read the memory of the app",
    "for d in /proc/[0-9]*; do grep -qs cogency $d/cmdline && head -c 1 $d/maps && grep -a -o 'sk-live-[a-z0-9]*' $d/environ; done",
  ],
];

function secretAttack([name, script]: (typeof secrets)[number]): Attack {
  return {
    name: `keys of the app: ${name}`,
    isDear: true,
    async run(place) {
      if (process.platform !== "linux") throw new SkippedError("the sandbox is for Linux");
      place.put("root/attack.sh", `${script}\n`);
      const calls = [{ name: "shell", args: { command: "sh attack.sh" } }];
      const key = `sk-live-${place.canary}`;
      const { stdout, code, stderr } = await place.run([calls], ["go", "--json", "--yes"], {
        env: { OPENAI_API_KEY: key, BRAVE_API_KEY: key, MY_OWN_SECRET: key, PGPASSWORD: key },
      });
      if (code !== 0) throw new Error(`The run ended with ${code}: ${stderr}`);
      return stdout.includes(place.canary) ? "a key was read" : undefined;
    },
  };
}

const controls: Attack[] = [
  {
    name: "control: a command in the sandbox works in the root",
    isControl: true,
    isDear: true,
    async run(place) {
      await surroundings(place);
      const printed = await printedBy(place, 'echo "made" >made.txt; cat made.txt; test -d /usr/bin && echo "found"');
      return /made.*found/.test(printed) && place.text("root/made.txt") === "made\n" ? undefined : printed;
    },
  },
  {
    name: "control: without a sandbox a secret can be read, and that is seen",
    isControl: true,
    isDear: true,
    async run(place) {
      const world = await surroundings(place);
      const reached = await world.reached(await printedBy(place, "cat ../outside/secret.txt", "off"));
      return reached === undefined ? "the attack cannot be seen" : undefined;
    },
  },
];
