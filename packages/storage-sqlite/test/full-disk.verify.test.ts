import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, it } from "vitest";
import { childEnvironment } from "./support/child-environment.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const run = promisify(execFile);
const worker = fileURLToPath(new URL("full-disk/worker.ts", import.meta.url));

const promises = [
  ["appending", "keeps the log when a batch does not fit, and works again when there is space"],
  [
    "opening",
    "opens neither a new nor an old store on a full disk, except to read the old one, and both when there is space",
  ],
  ["migrating", "does not change an old store that it has no space to migrate, and migrates it later"],
  ["indexing", "keeps the log when the index of a search does not fit, and finds everything when there is space"],
  ["publishing", "carries pieces within a process, and between processes when there is space"],
  ["changing", "saves a profile, deletes and leases as a whole or not at all"],
] as const;

// The mount belongs to the child and ends with it, even if it is killed. Without the right to mount, only the limit is
// used.
const inOwnMounts = process.getuid?.() === 0 ? ["--mount"] : ["--mount", "--map-root-user"];
const canMount = spawnSync("unshare", [...inOwnMounts, "mount", "-t", "tmpfs", "tmpfs", "/tmp"]).status === 0;

const options = { env: childEnvironment };
const ways = canMount ? ["mounted", "limited"] : ["limited"];

describe.each(ways)("sqliteStore on a disk that is full (%s)", (way) => {
  it.each(promises)("%s: %s", async (name) => {
    const folder = temporaryFolder();
    if (way === "limited") return void (await run(process.execPath, [worker, way, folder, name], options));
    const mountAndRun = 'mount -t tmpfs -o size=6m tmpfs "$1" && exec "$2" "$3" mounted "$1" "$4"';
    await run(
      "unshare",
      [...inOwnMounts, "sh", "-c", mountAndRun, "sh", folder, process.execPath, worker, name],
      options,
    );
  });
});
