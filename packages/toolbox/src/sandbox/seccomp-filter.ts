export interface FilterOptions {
  /** Whether programs may create unix sockets. */
  unixSockets: boolean;
}

/**
 * A seccomp program for bubblewrap. It refuses what namespaces do not isolate: kernel keyrings, sockets other than internet
 * and unix sockets (vsock reaches the host of a virtual machine), input pushed into terminals, new user namespaces, setuid and
 * setgid files, which would outlive the sandbox, and calls that only administrators need. It also refuses the calls of other
 * architectures, such as those of 32-bit programs, because their numbers mean other calls.
 *
 * @returns undefined for an unsupported architecture
 */
export function seccompFilter(architecture: string, { unixSockets }: FilterOptions): Uint8Array | undefined {
  const known = architectures[architecture];
  if (known === undefined) return undefined;
  const { audit, numbers } = known;
  const families = [...(unixSockets ? [AF_UNIX] : []), AF_INET, AF_INET6, AF_NETLINK];
  const program = [
    load(architectureOffset),
    ...unless(audit, refuse(ENOSYS)),
    load(numberOffset),
    // The x32 calls of x86-64 have their own numbers.
    ...(architecture === "x64" ? [jump(jumpGreaterOrEqual, 0x40000000, 0, 1), refuse(ENOSYS)] : []),
    ...numbers.forbidden.flatMap((number) => onCall(number, [refuse(EPERM)])),
    ...[...newerCalls.forbidden].flatMap((number) => onCall(number, [refuse(EPERM)])),
    ...newerCalls.missing.flatMap((number) => onCall(number, [refuse(ENOSYS)])),
    ...onCall(numbers.socket, onlyWhere(0, families, EAFNOSUPPORT)),
    // A datagram socket of a pair can be connected to another address afterwards.
    ...(unixSockets
      ? []
      : onCall(numbers.socketpair, onlyMasked(1, socketTypeMask, [SOCK_STREAM, SOCK_SEQPACKET], EPERM))),
    ...onCall(numbers.socketpair, onlyWhere(0, [AF_UNIX], EAFNOSUPPORT)),
    ...onCall(numbers.ioctl, neverWhere(1, [TIOCSTI, TIOCLINUX], EPERM)),
    ...numbers.modes.flatMap(([number, index]) => onCall(number, withoutBits(index, setIdBits, EPERM))),
    ...onCall(newerCalls.fchmodat2, withoutBits(2, setIdBits, EPERM)),
    ...[numbers.clone, numbers.unshare].flatMap((number) => onCall(number, withoutBits(0, newNamespaces, EPERM))),
    allow,
  ];
  return Uint8Array.from(program.flat());
}

interface Architecture {
  /** The kernel's constant `AUDIT_ARCH_…`. */
  audit: number;
  numbers: {
    socket: number;
    socketpair: number;
    ioctl: number;
    clone: number;
    unshare: number;
    /** Calls that set the mode of a file, each with the index of the mode among its arguments. */
    modes: readonly (readonly [number: number, index: number])[];
    forbidden: readonly number[];
  };
}

// `modes` in order: open creat chmod mknod (x64 only), fchmod fchmodat openat mknodat.
// `forbidden` in order: add_key request_key keyctl, mount umount2 pivot_root setns, bpf perf_event_open userfaultfd,
// kexec_load kexec_file_load init_module finit_module delete_module, syslog quotactl acct swapon swapoff reboot
// open_by_handle_at.
const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    numbers: {
      socket: 41,
      socketpair: 53,
      ioctl: 16,
      clone: 56,
      unshare: 272,
      modes: [
        [2, 2],
        [85, 1],
        [90, 1],
        [133, 1],
        [91, 1],
        [268, 2],
        [257, 3],
        [259, 2],
      ],
      forbidden: [
        248, 249, 250, 165, 166, 155, 308, 321, 298, 323, 246, 320, 175, 313, 176, 103, 179, 163, 167, 168, 169, 304,
      ],
    },
  },
  arm64: {
    audit: 0xc00000b7,
    numbers: {
      socket: 198,
      socketpair: 199,
      ioctl: 29,
      clone: 220,
      unshare: 97,
      modes: [
        [52, 1],
        [53, 2],
        [56, 3],
        [33, 2],
      ],
      forbidden: [
        217, 218, 219, 40, 39, 41, 268, 280, 241, 282, 104, 294, 105, 273, 106, 116, 60, 89, 224, 225, 142, 265,
      ],
    },
  },
};

/** Newer calls, which have the same number on all architectures. */
const newerCalls = {
  // open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr quotactl_fd open_tree_attr
  forbidden: [428, 429, 430, 431, 432, 433, 442, 443, 467],
  // io_uring_setup io_uring_enter io_uring_register, clone3, openat2. A filter cannot see the sockets of io_uring, the flags
  // of clone3 and the mode of openat2. Programs fall back to older calls if a kernel reports these as missing.
  missing: [425, 426, 427, 435, 437],
  fchmodat2: 452,
};

const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16];
const [SOCK_STREAM, SOCK_SEQPACKET] = [1, 5];
/** The bits of a socket type that are not flags. */
const socketTypeMask = 0xf;
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespaces = 0x7e020000;

/** S_ISUID, S_ISGID. */
const setIdBits = 0o6000;

// A BPF instruction: two bytes of code, two jump distances, four bytes of value.
type Instruction = number[];

const numberOffset = 0;
const architectureOffset = 4;
const [loadWord, andBits, jumpEqual, jumpGreaterOrEqual, jumpAnyBit, returnValue] = [
  0x20, 0x54, 0x15, 0x35, 0x45, 0x06,
];

function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Instruction {
  const bytes = (number: number, count: number) =>
    Array.from({ length: count }, (_, at) => (number >>> (8 * at)) & 0xff);
  return [...bytes(code, 2), ifTrue, ifFalse, ...bytes(value, 4)];
}

function load(offset: number): Instruction {
  return instruction(loadWord, offset);
}

function jump(code: number, value: number, ifTrue: number, ifFalse: number): Instruction {
  return instruction(code, value, ifTrue, ifFalse);
}

const allow = instruction(returnValue, 0x7fff0000);

function refuse(error: number): Instruction {
  return instruction(returnValue, 0x00050000 | error);
}

function unless(value: number, then: Instruction): Instruction[] {
  return [jump(jumpEqual, value, 1, 0), then];
}

/** `body` must end with a verdict or reload the call's number, because the instructions after it compare that number. */
function onCall(number: number, body: readonly Instruction[]): Instruction[] {
  return [jump(jumpEqual, number, 0, body.length), ...body];
}

/** Loads the lower half of an argument. The kernel uses only that half of the arguments that are checked here. */
function loadArgument(index: number): Instruction {
  return load(16 + 8 * index);
}

function onlyWhere(index: number, values: readonly number[], error: number): Instruction[] {
  return [
    loadArgument(index),
    ...values.map((value, at) => jump(jumpEqual, value, values.length - at, 0)),
    refuse(error),
    allow,
  ];
}

/** Like `onlyWhere` for some bits of an argument, but without a verdict for allowed values: it reloads the call's number. */
function onlyMasked(index: number, bits: number, values: readonly number[], error: number): Instruction[] {
  return [
    loadArgument(index),
    instruction(andBits, bits),
    ...values.map((value, at) => jump(jumpEqual, value, values.length - at, 0)),
    refuse(error),
    load(numberOffset),
  ];
}

function neverWhere(index: number, values: readonly number[], error: number): Instruction[] {
  return [
    loadArgument(index),
    ...values.map((value, at) => jump(jumpEqual, value, values.length - at, 0)),
    allow,
    refuse(error),
  ];
}

function withoutBits(index: number, bits: number, error: number): Instruction[] {
  return [loadArgument(index), jump(jumpAnyBit, bits, 0, 1), refuse(error), allow];
}
