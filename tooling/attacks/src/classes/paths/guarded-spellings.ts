import { closeSync, openSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import type { Place } from "../../harness/place.ts";

/** Spells the path of a file as a model could, given its absolute path and the folders. */
export type Spell = (absolute: string, place: Place) => string;

type GuardedSpelling = [name: string, spell: Spell];

export const guardedSpellings: readonly GuardedSpelling[] = [
  ["absolute", (path) => path],
  ["relative", (path, { root }) => relative(root, path)],
  ["by way of another folder", (path, { root }) => `src/../${relative(root, path)}`],
  ["with slashes and dots between", (path) => path.replaceAll("/", "/.//")],
  ["with a slash at the end", (path) => `${path}/`],
  ["with a dot at the end", (path) => `${path}/.`],
  ["through /proc/self/root", (path) => `/proc/self/root${path}`],
  ["through /proc/thread-self/root", (path) => `/proc/thread-self/root${path}`],
  ["through this process's root", (path) => `/proc/${process.pid}/root${path}`],
  ["through the root of process 1", (path) => `/proc/1/root${path}`],
  ["through /proc/self/cwd", (path) => `/proc/self/cwd/${relative(process.cwd(), path)}`],
  [
    "through a link to its folder",
    (path, { root }) => {
      symlinkSync(join(path, ".."), join(root, "way"));
      return join("way", path.split("/").at(-1) ?? "");
    },
  ],
  [
    "through a link to itself",
    (path, { root }) => {
      symlinkSync(path, join(root, "innocent.txt"));
      return "innocent.txt";
    },
  ],
  [
    "through a relative link in a folder",
    (path, { root }) => {
      symlinkSync(relative(join(root, "src"), path), join(root, "src", "b.txt"));
      return "src/b.txt";
    },
  ],
  [
    "through three links",
    (path, { root }) => {
      symlinkSync(path, join(root, "three"));
      symlinkSync("three", join(root, "two"));
      symlinkSync("./src/../two", join(root, "one"));
      return "one";
    },
  ],
  [
    "through a link to the root of all",
    (path, { root }) => {
      symlinkSync("/", join(root, "all"));
      return `all${path}`;
    },
  ],
  [
    "through a link to /proc/self/root",
    (path, { root }) => {
      symlinkSync("/proc/self/root", join(root, "self"));
      return `self${path}`;
    },
  ],
  [
    "through an open descriptor of the folder above",
    (path, place) => {
      const folder = openSync(join(path, ".."), "r");
      place.onEnd(() => closeSync(folder));
      return `/proc/self/fd/${folder}/${path.split("/").at(-1)}`;
    },
  ],
  [
    "through an open descriptor in /dev/fd",
    (path, place) => {
      const folder = openSync(join(path, ".."), "r");
      place.onEnd(() => closeSync(folder));
      return `/dev/fd/${folder}/${path.split("/").at(-1)}`;
    },
  ],
];
