import { lstat, readFile, realpath } from "node:fs/promises";
import { isInside } from "../../files/confine/root.ts";

/** Unix sockets in a folder on which programs of this machine listen. A command that sees one can talk to its program. */
export async function listeningSockets(folder: string): Promise<string[]> {
  const table = await readFile("/proc/net/unix", "utf8").catch(() => "");
  const named = table.split("\n").flatMap((line) => /^(?:\S+ +){6}\d+ (\/.*)$/.exec(line)?.[1] ?? []);
  const real = await Promise.all([...new Set(named)].map((path) => realpath(path).catch(() => path)));
  const inside = real.filter((path) => isInside(folder, path));
  const isSocket = await Promise.all(
    inside.map((path) =>
      lstat(path).then(
        (stats) => stats.isSocket(),
        () => false,
      ),
    ),
  );
  return inside.filter((_, at) => isSocket[at]);
}
