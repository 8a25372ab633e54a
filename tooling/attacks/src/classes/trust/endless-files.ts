import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import { crash } from "../inputs/crash.ts";
import { trustNow } from "./trusted.ts";

/** A file that a folder brings, which never ends, or whose reader waits for ever. */
export type EndlessFile = [name: string, prepare: (place: Place) => unknown];

export const endlessFiles: readonly EndlessFile[] = [
  ...[".cogency/config.json", ".cogency/rules.json", "AGENTS.md"].flatMap((file): EndlessFile[] => [
    [`${file} is a link to /dev/zero`, (place) => link(place, file, "/dev/zero")],
    [`${file} is a link to a terminal`, (place) => link(place, file, "/dev/tty")],
    [`${file} is a FIFO`, (place) => fifo(place, file)],
    [`${file} is a link to a FIFO`, (place) => [fifo(place, "pipe"), link(place, file, join(place.root, "pipe"))]],
    [`${file} has 1 TiB`, (place) => truncateSync(place.put(`root/${file}`), 2 ** 40)],
    [`${file} is a folder`, (place) => void place.put(`root/${file}/x`)],
    [`${file} is a link to itself`, (place) => link(place, file, join(place.root, file))],
  ]),
  ...["provider", "prices", "store"].flatMap((key): EndlessFile[] => [
    [`${key} is /dev/zero`, (place) => config(place, { [key]: "/dev/zero" })],
    [`${key} is a FIFO`, (place) => [fifo(place, ".cogency/pipe"), config(place, { [key]: "./pipe" })]],
  ]),
  ["system is /dev/zero", (place) => config(place, { system: "@/dev/zero" })],
  ["the provider of a profile is /dev/zero", (place) => config(place, { profiles: { p: { provider: "/dev/zero" } } })],
  [
    "the package.json of the provider is a FIFO",
    (place) => [fifo(place, ".cogency/package/package.json"), config(place, { provider: "./package" })],
  ],
  [
    "the entry of the provider's package is /dev/zero",
    (place) => {
      place.put("root/node_modules/p/package.json", '{"name":"p","main":"x.mjs"}');
      link(place, "node_modules/p/x.mjs", "/dev/zero");
      config(place, { provider: "p" });
    },
  ],
];

/** What a person does in the folder before they trust it, and after. */
export const endlessCommands = [
  ...["run", "doctor", "history list", "config get", "trust --yes"].map((command) => [command, false] as const),
  ...["run", "config get"].map((command) => [command, true] as const),
];

export function endlessAttack(
  [name, prepare]: EndlessFile,
  [command, isTrusted]: (typeof endlessCommands)[number],
): Attack {
  return {
    name: `${command}, ${isTrusted ? "after" : "before"} it is trusted: ${name}`,
    isDear: true,
    async run(place) {
      place.put("root/.git/HEAD", "ref: refs/heads/main\n");
      prepare(place);
      if (isTrusted) await trustNow(place);
      const args = command === "run" ? ["run", "hello", ...place.model(["Hi."])] : command.split(" ");
      const ended = await place.cogency(command === "doctor" ? ["doctor", "--no-request"] : args);
      if (/allocation failed|out of memory|cannot create a string|ERR_FS_FILE_TOO_LARGE/i.test(ended.stderr))
        return `it reads without end: ${ended.stderr}`;
      if (command === "run" && !isTrusted && !ended.isHung && ended.stdout !== "Hi.\n")
        return `a folder that is not trusted stops the run: ${ended.stderr}`;
      // The doctor exits with 1 where it finds a fault.
      return command === "doctor" && ended.code === 1 ? undefined : crash(ended);
    },
  };
}

function link(place: Place, file: string, target: string): void {
  unlinkSync(place.put(`root/${file}`));
  symlinkSync(target, join(place.root, file));
}

function fifo(place: Place, file: string): void {
  unlinkSync(place.put(`root/${file}`));
  execFileSync("mkfifo", [join(place.root, file)]);
}

function config(place: Place, content: object): void {
  place.put("root/.cogency/config.json", JSON.stringify(content));
}
