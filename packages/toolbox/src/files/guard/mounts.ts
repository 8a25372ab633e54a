import { isInside } from "./is-inside.ts";

/** One line of Linux's /proc/self/mountinfo. */
export interface Mount {
  /** The file system, by its major and minor number. */
  readonly device: string;
  /** The folder of the file system that is mounted. */
  readonly root: string;
  /** The path at which it is mounted. */
  readonly point: string;
}

export function parseMounts(mountinfo: string): Mount[] {
  return mountinfo.split("\n").flatMap((line) => {
    const [, , device, root, point] = line.split(" ");
    if (device === undefined || root === undefined || point === undefined) return [];
    return [{ device, root: unescapeOctal(root), point: unescapeOctal(point) }];
  });
}

/**
 * Returns the other paths that lead to the same file, because its file system, a folder above it or a part of it is mounted a
 * second time, for example by `mount --bind`. The file need not exist.
 *
 * @param path a real path
 */
export function mountAliases(mounts: readonly Mount[], path: string): string[] {
  let own: Mount | undefined;
  for (const mount of mounts) {
    if (isInside(mount.point, path) && mount.point.length >= (own?.point.length ?? 0)) own = mount;
  }
  if (own === undefined) return [];
  const place = moved(path, own.point, own.root);
  const { device } = own;
  return mounts.flatMap((mount) => {
    if (mount === own || mount.device !== device) return [];
    if (isInside(mount.root, place)) return [moved(place, mount.root, mount.point)].filter((alias) => alias !== path);
    return isInside(place, mount.root) ? [mount.point] : [];
  });
}

/** Replaces `from` at the start of `path` by `to`. */
function moved(path: string, from: string, to: string): string {
  const below = path.slice(from === "/" ? 0 : from.length);
  return (to === "/" ? "" : to) + below || "/";
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
