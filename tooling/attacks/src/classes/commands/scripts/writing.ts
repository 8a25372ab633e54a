import type { Script } from "./script.ts";

/** Scripts that change files outside of the root, the store, or the system. */
export const writingScripts: readonly Script[] = [
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
];
