import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../files/guard/is-inside.ts";
import { type Mount, parseMounts } from "../../files/guard/mounts.ts";

/** The mounts of a command differ from the plan, because a folder was renamed meanwhile. */
export class MountsDifferError extends Error {
  override readonly name = "MountsDifferError";
}

/**
 * Compares the mounts of a command that waits to start with the options of bubblewrap. bubblewrap follows paths, which may lead
 * elsewhere since they were checked. The kernel's table says what is really mounted, and later renames do not change it.
 *
 * @param pid of the first process of the sandbox
 * @param options of bubblewrap
 * @param own the mounts that bubblewrap always makes
 * @throws MountsDifferError
 */
export async function verifyMounts(pid: number, options: readonly string[], own: readonly Mount[]): Promise<void> {
  const host = await tableOf("self");
  const expected = [...own.map(ownMount), ...(await plannedBy(options, host))];
  let difference = "it could not be made in time";
  const until = Date.now() + longestWait;
  for (let settled = 0; Date.now() < until && settled < mostDifferences; ) {
    const table = await tableOf(pid);
    if (isSettled(table, host)) {
      const found = differenceOf(table, expected);
      if (found === undefined) return;
      difference = found;
      settled++;
    }
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
  throw new MountsDifferError(`what is mounted is not what was planned (${difference})`);
}

/** Milliseconds. */
const pollInterval = 1;
const longestWait = 5000;
/** How often a complete table may differ before the check fails. */
const mostDifferences = 10;

interface Expected {
  point: string;
  /** Undefined for a file system that bubblewrap creates. */
  device?: string | undefined;
  root: string;
  isOptional?: boolean;
}

async function tableOf(pid: number | "self"): Promise<Mount[]> {
  return parseMounts(await readFile(`/proc/${pid}/mountinfo`, "utf8"));
}

/** Whether all mounts are made: bubblewrap's last step is to leave the machine's file system. */
function isSettled(table: readonly Mount[], host: readonly Mount[]): boolean {
  const isOwn = ({ point, device }: Mount) => point === "/proc" && !host.some((mount) => mount.device === device);
  return table.some(isOwn) && !table.some(({ point }) => isInside("/newroot", point) || isInside("/oldroot", point));
}

/** @returns undefined if the table holds exactly the expected mounts */
function differenceOf(table: readonly Mount[], expected: readonly Expected[]): string | undefined {
  const open = new Map<string, Expected[]>();
  // Of two expected mounts at one point, the one with a device is compared first, because the other would match its mount too.
  const inOrder = [...expected.filter(({ device }) => device), ...expected.filter(({ device }) => !device)];
  for (const each of inOrder) open.set(each.point, [...(open.get(each.point) ?? []), each]);
  for (const mount of table) {
    const candidates = open.get(mount.point) ?? [];
    const at = candidates.findIndex((each) => matches(mount, each));
    if (at < 0) return `${mount.point} shows ${mount.root} of ${mount.device}`;
    candidates.splice(at, 1);
  }
  const missing = [...open.values()].flat().find(({ isOptional }) => !isOptional);
  return missing && `${missing.point} is not mounted`;
}

function matches({ device, root }: Mount, expected: Expected): boolean {
  return root === expected.root && (expected.device === undefined || device === expected.device);
}

/** Its device number differs in every sandbox, so it is not compared. */
function ownMount({ point, root }: Mount): Expected {
  // If the root is the whole file system, it hides bubblewrap's own mount at `/`.
  return { point, root, isOptional: point === "/" };
}

/** The mounts that the options ask for, with the machine's own mounts below them. */
async function plannedBy(options: readonly string[], host: readonly Mount[]): Promise<Expected[]> {
  const expected: Expected[] = [];
  for (let at = 0; at < options.length; at++) {
    const option = options[at] ?? "";
    if (option === "--tmpfs") expected.push({ point: options[++at] ?? "", root: "/" });
    else if (/^--(?:ro-)?bind(?:-try)?$/.test(option)) {
      const [source = "", point = ""] = [options[++at], options[++at]];
      expected.push(...(await boundFrom(source, point, host, option.endsWith("-try"))));
    } else at += argumentCounts[option] ?? 0;
  }
  return expected;
}

/** The number of arguments of the other options, which must not be read as options. */
const argumentCounts: Readonly<Record<string, number>> = {
  ...{
    "--symlink": 2,
    "--setenv": 2,
    "--file": 2,
    "--dir": 1,
    "--perms": 1,
    "--remount-ro": 1,
    "--proc": 1,
    "--dev": 1,
  },
  ...{ "--chdir": 1, "--seccomp": 1, "--json-status-fd": 1, "--block-fd": 1, "--hostname": 1, "--cap-drop": 1 },
};

async function boundFrom(source: string, point: string, host: readonly Mount[], isOptional: boolean) {
  const real = await realpath(source).catch(() => source);
  // The nearest mount; of several at one point, the last.
  const own = host.reduce<Mount | undefined>(
    (best, mount) => (isInside(mount.point, real) && mount.point.length >= (best?.point.length ?? 0) ? mount : best),
    undefined,
  );
  const below = host.filter((mount) => mount.point !== real && isInside(real, mount.point));
  const moved = (path: string) => join(point, path.slice(real === "/" ? 0 : real.length));
  const expected: Expected[] = below.map(({ point: path, device, root }) => ({
    ...{ point: moved(path), device, root },
    isOptional: true,
  }));
  if (own === undefined) return expected;
  const root = join(own.root, real.slice(own.point === "/" ? 0 : own.point.length));
  return [...expected, { point: join(point, "."), device: own.device, root, isOptional }];
}
