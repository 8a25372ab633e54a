import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { readRegularText } from "../../base/files/read-regular-file.ts";

/**
 * Returns why a file must not run in this process, or undefined if it may. The file, every folder above it and every link
 * on the way must belong to the user, to root or to the owner of this program, and no other user may be able to replace
 * them.
 */
export function distrustOf(file: string): string | undefined {
  if (process.getuid === undefined) return undefined;
  const own = statSync(fileURLToPath(import.meta.url));
  const owners = new Set([process.getuid(), 0, own.uid]);
  const places = new Set([...above(realpathSync.native(file)), ...above(file)]);
  for (const place of places) {
    const { mode, uid, gid } = lstatSync(place);
    if (!owners.has(uid)) return `${place} belongs to another user (${uid})`;
    // In a folder with the sticky bit, such as /tmp, only the owner of an entry can replace it. The mode of a link has no meaning.
    const isSticky = (mode & directoryAndSticky) === directoryAndSticky;
    if (isSticky || isLink(mode)) continue;
    if ((mode & worldWritable) !== 0) return `every user may write to ${place}`;
    if ((mode & groupWritable) !== 0 && !holdsOnly(gid, owners)) {
      return `others of its group (${gid}) may write to ${place}`;
    }
  }
  return undefined;
}

function above(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [path] : [path, ...above(folder)];
}

function isLink(mode: number): boolean {
  return (mode & 0o170000) === 0o120000;
}

/**
 * Whether a group has no members but these users, as the group that many systems make for each user. Reads the system's
 * files. The groups of administrators count as well, because their members can write everywhere anyway. A group that is
 * empty or unknown does not count.
 */
function holdsOnly(group: number, users: ReadonlySet<number>): boolean {
  if (group === 0 || (process.platform === "darwin" && group === administratorsOfMac)) return true;
  const [accounts, groups] = ["/etc/passwd", "/etc/group"].map(entriesOf);
  const entry = groups?.find(([, , id]) => Number(id) === group);
  if (accounts === undefined || entry === undefined) return false;
  const names = new Set(entry[3]?.split(",").filter((name) => name !== ""));
  const members = accounts.filter(([name = "", , , primary]) => names.has(name) || Number(primary) === group);
  const known = new Set(members.map(([name]) => name));
  const isKnown = members.length > 0 && [...names].every((name) => known.has(name));
  return isKnown && members.every(([, , id]) => users.has(Number(id)));
}

function entriesOf(file: string): string[][] | undefined {
  const text = textOf(file);
  return text?.split("\n").flatMap((line) => (line === "" || line.startsWith("#") ? [] : [line.split(":")]));
}

/** Large systems have many users. */
const mostBytes = 16 * 1_048_576;

function textOf(file: string): string | undefined {
  try {
    return readRegularText(file, { most: mostBytes });
  } catch {
    return undefined;
  }
}

const administratorsOfMac = 80;
const worldWritable = 0o002;
const groupWritable = 0o020;
const directoryAndSticky = 0o041000;
