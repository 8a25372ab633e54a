import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The folder beside a database in which processes that follow listen, each at a socket of its own. Only its owner may enter it, so who
 * connects to a socket in it may read the database, too. It stays: where commands must not see it, it has to be there before they start.
 */
export interface SocketFolder {
  /** The sockets in it, without those of other versions. Empty without a folder. */
  names(): string[];
  /** Whether the socket of this name is still there. */
  has(name: string): boolean;
  /** Creates the folder, and returns a name for a new socket. Throws if another user or another program has taken its place. */
  newName(): string;
  /** Makes a socket known that listens at `unready(name)`. Until then, nobody takes it for one whose process has ended. */
  publish(name: string): void;
  /** Removes a socket. */
  remove(name: string): void;
  /**
   * Calls `use` with an address at which to listen, or to connect to the socket of this name. A longer path than an address may have goes
   * through a link in the temporary folder, until `release`.
   */
  address(name: string): { path: string; release(): void };
}

/** The version of what is said over the sockets. Other versions have other names, and do not hear each other. */
const version = ".1";
const socketName = /^[0-9a-f]{12}\.1$/;
/** What a name has in front until its socket listens. */
const before = "new-";

/** Bytes that the address of a socket may have: 104 on macOS, 108 on Linux, with a zero at the end. */
const longestAddress = 100;

/** Milliseconds between the making of a socket and its being listened at. */
const longestStart = 60_000;

export function socketFolder(database: string): SocketFolder {
  const folder = `${realpathSync(database)}-live`;
  /** What a process has left that was killed before it listened. */
  const removeIfOld = (name: string) =>
    attempt(() => lstatSync(join(folder, name)).mtimeMs < Date.now() - longestStart && rmSync(join(folder, name)));

  return {
    names: () => (attempt(() => readdirSync(folder)) ?? []).filter((name) => socketName.test(name)),
    has: (name) => existsSync(join(folder, name)),
    newName() {
      attempt(() => mkdirSync(folder, { mode: 0o700 }));
      const found = lstatSync(folder);
      if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${folder} is not ours.`);
      if ((found.mode & 0o77) !== 0) chmodSync(folder, 0o700);
      for (const name of readdirSync(folder)) if (name.startsWith(before)) removeIfOld(name);
      return `${randomBytes(6).toString("hex")}${version}`;
    },
    publish: (name) => renameSync(join(folder, unready(name)), join(folder, name)),
    remove(name) {
      for (const one of [name, unready(name)]) {
        attempt(() => lstatSync(join(folder, one)).isSocket() && rmSync(join(folder, one)));
      }
    },
    address(name) {
      const path = join(folder, name);
      if (Buffer.byteLength(path) <= longestAddress) return { path, release() {} };
      const short = mkdtempSync(join(temporaryFolder(), "cogency-"));
      const link = join(short, "l");
      symlinkSync(folder, link);
      return {
        path: join(link, name),
        release() {
          attempt(() => rmSync(link));
          attempt(() => rmdirSync(short));
        },
      };
    },
  };
}

/** Where a socket listens before it is published. */
export function unready(name: string): string {
  return before + name;
}

function temporaryFolder(): string {
  const folder = tmpdir();
  return Buffer.byteLength(folder) < longestAddress / 2 ? folder : "/tmp";
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
