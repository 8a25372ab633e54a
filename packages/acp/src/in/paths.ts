/** Whether a path begins at a root, of POSIX or of Windows. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[a-z]:[\\/]/i.test(path) || path.startsWith("\\\\");
}

/** A path as an editor takes it: below the folder, unless it begins at a root. */
export function absolutePath(folder: string, path: string): string {
  if (isAbsolute(path)) return path;
  const mark = folder.includes("\\") ? "\\" : "/";
  const parts = folder.split(/[\\/]/);
  for (const part of path.split(/[\\/]/)) {
    if (part === "..") {
      if (parts.length > 1) parts.pop();
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join(mark) || mark;
}

/** The path of a `file:` address; undefined for any other one. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith("file://")) return undefined;
  try {
    const path = decodeURIComponent(new URL(uri).pathname);
    return /^\/[a-z]:/i.test(path) ? path.slice(1) : path;
  } catch {
    return undefined;
  }
}

/** Whether a path lies in one of the folders. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  const plain = (one: string) => one.replaceAll("\\", "/").replace(/\/+$/, "");
  const parts = path.split(/[\\/]/);
  return !parts.includes("..") && folders.some((folder) => `${plain(path)}/`.startsWith(`${plain(folder)}/`));
}
