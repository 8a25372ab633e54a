import type { Place } from "../../harness/place.ts";
import type { World } from "../../harness/world.ts";

interface Surroundings extends World {
  place: Place;
}

/** A script that the shell tool is asked to run; it tries in several ways where programs may be missing. */
export type Script = [name: string, script: (world: Surroundings) => string];

export const scripts: readonly Script[] = [
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
