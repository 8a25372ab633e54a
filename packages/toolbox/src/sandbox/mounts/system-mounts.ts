import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";

/**
 * The flags that every sandbox has: its own users, processes, network, host name and message queues, no right of an
 * administrator, no terminal, and the end of all its programs with that of `bwrap`.
 *
 * @param help what `bwrap --help` prints
 * @returns undefined if a flag that cannot be done without is missing
 */
export function isolationFlags(help: string): string[] | undefined {
  if (![...neededFlags, "--args", "--seccomp", "--json-status-fd", "--block-fd"].every((flag) => help.includes(flag)))
    return undefined;
  return [
    ...["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--hostname", "localhost"],
    // The filter of calls refuses new user namespaces as well; older versions have that alone.
    ...(help.includes("--disable-userns") ? ["--disable-userns"] : []),
  ];
}

const neededFlags = [
  "--unshare-all",
  "--unshare-user",
  "--die-with-parent",
  "--new-session",
  "--cap-drop",
  "--remount-ro",
  "--perms",
];

/** Mounts the parts of the system that programs need, read-only, with processes and devices of their own. */
export function systemMounts(): string[] {
  const folders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];
  return [...folders.flatMap(asItIs), ...etcNames.flatMap(publicFile), ...ownMounts()];
}

/** Processes and devices of its own. */
export function ownMounts(): string[] {
  return ["--proc", "/proc", "--dev", "/dev"];
}

function asItIs(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/** Of `/etc` nothing that is kept from other users of the machine, whatever its name. Each mount costs a millisecond. */
function publicFile(name: string): string[] {
  const path = `/etc/${name}`;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || (stats.mode & 0o004) === 0) return [];
  const target = lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  return target.startsWith("/usr/") ? ["--symlink", target, path] : ["--ro-bind", path, path];
}

/** Names and addresses that programs ask for, where libraries and certificates are, the time, fonts. */
const etcNames = [
  ...["passwd", "group", "nsswitch.conf", "hosts", "resolv.conf", "services", "os-release", "localtime", "timezone"],
  ...["ld.so.cache", "alternatives", "mime.types", "fonts", "java", "crypto-policies/back-ends"],
  ...["ssl/certs", "ssl/cert.pem", "ssl/openssl.cnf", "pki/tls/certs", "pki/tls/cert.pem", "pki/tls/openssl.cnf"],
  ...["pki/ca-trust/extracted"],
];
