import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Place } from "../../harness/place.ts";
import { filled } from "./store-file.ts";

/** Removes, replaces or damages the file of an open store; `giveBack` lets an ordinary user read it again afterwards. */
export type TakenFile = [
  name: string,
  take: (path: string, place: Place) => unknown,
  giveBack?: (path: string) => void,
];

export const takenFiles: readonly TakenFile[] = [
  ["removed", (path) => rmSync(path)],
  [
    "removed with all beside it",
    (path) => {
      for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
    },
  ],
  ["renamed", (path) => renameSync(path, `${path}.old`)],
  [
    "renamed with all beside it",
    (path) => {
      for (const end of ["", "-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, `${path}.old${end}`);
    },
  ],
  ["its folder renamed", (path) => renameSync(join(path, ".."), `${join(path, "..")}.old`)],
  [
    "its folder renamed and made anew",
    (path) => {
      const folder = join(path, "..");
      renameSync(folder, `${folder}.old`);
      mkdirSync(folder);
    },
  ],
  [
    "another store renamed over it",
    async (path) => {
      await filled(`${path}.new`, "other");
      renameSync(`${path}.new`, path);
    },
  ],
  [
    "another store renamed over it, what lay beside removed",
    async (path) => {
      await filled(`${path}.new`, "other");
      renameSync(`${path}.new`, path);
      for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
    },
  ],
  [
    "an empty file renamed over it",
    (path) => {
      writeFileSync(`${path}.new`, "");
      renameSync(`${path}.new`, path);
    },
  ],
  ["cut to nothing", (path) => truncateSync(path, 0)],
  ["cut to half a page", (path) => truncateSync(path, 2048)],
  ["written over with zeros", (path) => writeFileSync(path, Buffer.alloc(8192))],
  ["written over with a text", (path) => writeFileSync(path, "hello")],
  [
    "a link in its place",
    (path) => {
      renameSync(path, `${path}.old`);
      writeFileSync(`${path}.other`, "");
      symlinkSync(`${path}.other`, path);
    },
  ],
  [
    "a folder in its place",
    (path) => {
      renameSync(path, `${path}.old`);
      mkdirSync(path);
    },
  ],
  ["its write-ahead log removed", (path) => rmSync(`${path}-wal`, { force: true })],
  ["its write-ahead log emptied", (path) => existsSync(`${path}-wal`) && truncateSync(`${path}-wal`, 0)],
  ["its shared memory removed", (path) => rmSync(`${path}-shm`, { force: true })],
  ["made unreadable", (path) => chmodSync(path, 0), (path) => chmodSync(path, 0o600)],
];
