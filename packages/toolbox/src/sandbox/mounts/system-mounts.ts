import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";

/**
 * The flags of every sandbox: its own users, processes, network, host name and message queues, no capabilities, no terminal,
 * no user namespaces in it, and all its programs end when `bwrap` ends. The last flag is the newest: it came with version 0.8.
 */
export const isolationFlags: readonly string[] = [
  ...["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
  ...["--hostname", "localhost", "--disable-userns"],
];

/**
 * Whether a version of bubblewrap has every flag that is needed, which is every one but `--disable-userns`.
 *
 * @param help the output of `bwrap --help`
 */
export function knowsNeededFlags(help: string): boolean {
  return neededFlags.every((flag) => help.includes(flag));
}

const neededFlags = [
  ...["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "--remount-ro", "--perms"],
  ...["--args", "--seccomp", "--json-status-fd", "--block-fd"],
];

/** Arguments that mount the parts of the system that programs need, read-only, and the sandbox's own `/proc` and `/dev`. */
export function systemMounts(): string[] {
  const folders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];
  return [...folders.flatMap(asItIs), ...etcNames.flatMap(publicFile), ...ownMounts()];
}

export function ownMounts(): string[] {
  return ["--proc", "/proc", "--dev", "/dev"];
}

function asItIs(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/** Mounts a file of `/etc` only if every user may read it. The list is short because each mount takes a millisecond. */
function publicFile(name: string): string[] {
  const path = `/etc/${name}`;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || (stats.mode & 0o004) === 0) return [];
  const target = lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  return target.startsWith("/usr/") ? ["--symlink", target, path] : ["--ro-bind", path, path];
}

/** Users, hosts, libraries, certificates, time zone and fonts. */
const etcNames = [
  ...["passwd", "group", "nsswitch.conf", "hosts", "resolv.conf", "services", "os-release", "localtime", "timezone"],
  ...["ld.so.cache", "alternatives", "mime.types", "fonts", "java", "crypto-policies/back-ends"],
  ...["ssl/certs", "ssl/cert.pem", "ssl/openssl.cnf", "pki/tls/certs", "pki/tls/cert.pem", "pki/tls/openssl.cnf"],
  ...["pki/ca-trust/extracted"],
];
