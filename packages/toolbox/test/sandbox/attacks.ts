/** The levels of the table in docs/sandbox.md, in the order of its columns. */
export const levels = ["off", "auto without bwrap", "bwrap", "bwrap + hosts"] as const;
export type Level = (typeof levels)[number];

/** The targets of an attack. */
export interface Targets {
  /** The root. */
  root: string;
  /** A folder beside the root with a file `secret`, and a socket `socket` on which the test listens. */
  outside: string;
  /** Id of a process outside the sandbox. Its environment holds CANARY. */
  victim: number;
  /** Port of a server on the loopback interface of this machine. */
  port: number;
  /** Name of an abstract socket on which the test listens. */
  abstract: string;
  /** A name that no other run of the tests uses. */
  mark: string;
}

/** A server that records whether an attack connected to it. */
export type Listener = "tcp" | "outerSocket" | "innerSocket" | "abstractSocket";

/** A part of the state that the test compares before and after an attack. */
export type Changeable =
  | "outside"
  | "victim"
  | "daemon"
  | "tmp"
  | "guarded"
  | "missing"
  | "obeyed"
  | "made"
  | "repository"
  | "package";

export interface Attack {
  /** The row of the table. */
  name: string;
  /** A script for bash, run in the root. */
  script(targets: Targets): string;
  /** The levels at which the attack must fail. */
  keptOut: readonly Level[];
  /** How success shows: it prints CANARY, that listener gets a connection, or that part of the state changes. */
  succeeds: "prints" | Listener | Changeable;
  /** Only root can make this attack: for other users it fails at every level. */
  needsRoot?: true;
}

const sandboxed: readonly Level[] = ["bwrap", "bwrap + hosts"];
const nowhere: readonly Level[] = [];

export const attacks: readonly Attack[] = [
  {
    name: "read a file of the user outside the root",
    script: ({ outside }) => `cat ${outside}/secret`,
    succeeds: "prints",
    keptOut: sandboxed,
  },
  {
    name: "read such a file through a link in the root",
    script: ({ outside }) => `ln -s ${outside}/secret link; cat link`,
    succeeds: "prints",
    keptOut: sandboxed,
  },
  {
    name: "write outside the root",
    script: ({ outside }) => `echo x > ${outside}/secret`,
    succeeds: "outside",
    keptOut: sandboxed,
  },
  {
    name: "read the environment of another process, including the agent's",
    script: () => "cat /proc/[0-9]*/environ 2>&1 | grep -ao CANARY | head -n 1",
    succeeds: "prints",
    keptOut: sandboxed,
  },
  {
    name: "read the files of another process through /proc",
    script: ({ victim }) => `cat /proc/${victim}/cwd/secret`,
    succeeds: "prints",
    keptOut: sandboxed,
  },
  {
    name: "kill another process",
    script: ({ victim }) => `kill -KILL ${victim}`,
    succeeds: "victim",
    keptOut: sandboxed,
  },
  {
    name: "keep running as a daemon",
    script: ({ mark }) => `(setsid bash -c '(exec -a ${mark} sleep 60) & exec 0<&- 1>&- 2>&-; :' &) ; sleep 0.05`,
    succeeds: "daemon",
    keptOut: sandboxed,
  },
  {
    name: "leave a file in /tmp for other programs",
    script: ({ mark }) => `echo x > /tmp/${mark}`,
    succeeds: "tmp",
    keptOut: sandboxed,
  },
  {
    name: "read a guarded file in the root",
    script: () => "cat guarded/store.db guarded.key",
    succeeds: "prints",
    keptOut: sandboxed,
  },
  {
    name: "replace a guarded file, or the folder above it",
    script: () =>
      "echo x > guarded/store.db; rm -f guarded/store.db; mv guarded moved; mkdir -p guarded; echo x > guarded/store.db; mv guarded.key other; echo x > guarded.key",
    succeeds: "guarded",
    keptOut: sandboxed,
  },
  {
    name: "create a guarded file that does not exist yet",
    script: () => "echo x > missing.db; mkdir -p missing; echo x > missing/store.db",
    succeeds: "missing",
    keptOut: sandboxed,
  },
  {
    name: "change the program's configuration and instructions, or make them in any folder",
    script: () =>
      "echo x > .cogency/config.json; rm -rf AGENTS.md; ln -s /etc/passwd AGENTS.md; mkdir -p x/y/.cogency; echo x > x/AGENTS.md; mv .cogency x/other",
    succeeds: "obeyed",
    keptOut: sandboxed,
  },
  {
    name: "make a repository whose settings or hooks run a program",
    script: () =>
      "mkdir -p made/y; cd made; git init -q y; git -C y config core.fsmonitor evil; git init -q z; mkdir -p z/.git/hooks; echo x > z/.git/hooks/post-checkout",
    succeeds: "made",
    keptOut: sandboxed,
  },
  {
    name: "change the settings or hooks of a repository, move it, or point git to another folder",
    script: () =>
      "echo x >> .git/config; echo x > .git/hooks/pre-commit; mkdir e; echo ../e > .git/commondir; mv .git g; mv .git/hooks h; cp -r g .git; echo x >> sub/.git/config; mv sub s",
    succeeds: "repository",
    keptOut: sandboxed,
  },
  {
    name: "connect to a server of this machine or its network",
    script: ({ port }) => `echo x > /dev/tcp/127.0.0.1/${port}`,
    succeeds: "tcp",
    keptOut: sandboxed,
  },
  {
    name: "connect to a socket outside the root, such as the sockets of Docker, ssh-agent and the session bus",
    script: ({ outside }) => connectTo(`"${outside}/socket"`),
    succeeds: "outerSocket",
    keptOut: sandboxed,
  },
  {
    name: "connect to a socket in the root on which a program of this machine listens",
    script: () => connectTo('"./socket"'),
    succeeds: "innerSocket",
    keptOut: sandboxed,
  },
  {
    name: "connect to an abstract socket, such as X11's",
    script: ({ abstract }) => connectTo(`"\\0${abstract}"`),
    succeeds: "abstractSocket",
    keptOut: sandboxed,
  },
  {
    name: "read the keyring of the kernel",
    script: () => syscall({ x64: 250, arm64: 219 }, "0, -3, 1"),
    succeeds: "prints",
    keptOut: sandboxed,
  },
  {
    name: "become root in a namespace of its own",
    script: () => "unshare --user --map-root-user echo CANARY",
    succeeds: "prints",
    keptOut: sandboxed,
  },
  {
    name: "change a system-wide setting of the kernel",
    script: () => "cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness && echo CANARY",
    succeeds: "prints",
    keptOut: sandboxed,
    needsRoot: true,
  },
  {
    name: "change files in the root that run later, such as package.json",
    script: () => "echo x > package.json",
    succeeds: "package",
    keptOut: nowhere,
  },
  {
    name: "take processor, memory and disk space until the time limit",
    script: () => "head -c 3000000 /dev/zero > big; wc -c < big | grep -q 3000000 && echo CANARY",
    succeeds: "prints",
    keptOut: nowhere,
  },
];

function connectTo(path: string): string {
  return `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un(${path})); syswrite(S, "x")'`;
}

function syscall(numbers: Record<string, number>, args: string): string {
  return `perl -e 'print "CANARY" if syscall(${numbers[process.arch] ?? 0}, ${args}) >= 0'`;
}
