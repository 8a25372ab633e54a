import { type BigIntStats, constants } from "node:fs";
import { lstat, mkdir, open, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../files/system-error.ts";

/** Something that is not there and that a command must not make: a mount needs a place to stand on. */
export interface Absent {
  path: string;
  kind: "file" | "folder";
  /** What other programs read there meanwhile. */
  content?: string;
}

/**
 * Makes an empty stand-in for something absent, so that a sandbox can cover it, and takes it away again when the last
 * command that needed it has ended, unless somebody has made something of it.
 *
 * @returns what takes it away; undefined where a command could not make anything either
 * @throws the system's error if a stand-in cannot be made although a command could make room for one
 */
export async function holdPlace(absent: Absent): Promise<(() => Promise<void>) | undefined> {
  const { path } = absent;
  const place = places.get(path) ?? { holders: 0, made: make(absent) };
  places.set(path, place);
  place.holders++;
  const release = async () => {
    if (--place.holders > 0) return;
    places.delete(path);
    const made = await place.made.catch(() => undefined);
    if (made !== undefined) await takeAway(absent, made);
  };
  try {
    await place.made;
    return release;
  } catch (error) {
    await release();
    if (await isBeyondReach(error, path)) return undefined;
    throw error;
  }
}

const places = new Map<string, { holders: number; made: Promise<Version | undefined> }>();

/** Another one after every change, also one that leaves a file empty. */
type Version = string;

/** @returns undefined if it was there already */
async function make({ path, kind, content = "" }: Absent): Promise<Version | undefined> {
  try {
    if (kind === "folder") {
      await mkdir(path, { mode: 0o700 });
      return "";
    }
    const file = await open(
      path,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    await file.writeFile(content);
    const version = versionOf(await file.stat({ bigint: true }));
    await file.close();
    return version;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return undefined;
    throw error;
  }
}

async function takeAway({ path, kind }: Absent, made: Version): Promise<void> {
  try {
    if (kind === "folder") await rmdir(path);
    else if (versionOf(await lstat(path, { bigint: true })) === made) await rm(path);
  } catch {
    // It is gone already, or no longer empty: then it belongs to the program that made something of it.
  }
}

function versionOf({ ino, size, mtimeNs }: BigIntStats): Version {
  return `${ino} ${size} ${mtimeNs}`;
}

/** A file system that cannot be written to, or a folder of another user, is closed to a command, too. */
async function isBeyondReach(error: unknown, path: string): Promise<boolean> {
  const code = errorCode(error);
  if (code === "EROFS") return true;
  if (code !== "EACCES" && code !== "EPERM") return false;
  return (await lstat(dirname(path))).uid !== process.geteuid?.();
}
