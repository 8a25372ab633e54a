import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import { evilModule, trustNow } from "./trusted.ts";

/** What appears below a trusted project: by a pull, an archive, or a program. */
export type NestedProject = [name: string, args: readonly string[], prepare: (place: Place, evil: string) => void];

const files: readonly [name: string, args: readonly string[], make: (place: Place, evil: string) => void][] = [
  ["a provider module", [], (place, evil) => configured(place, { provider: "./evil.mjs" }, evil)],
  [
    "the module of a profile",
    [],
    (place, evil) => configured(place, { profile: "p", profiles: { p: { provider: "./evil.mjs" } } }, evil),
  ],
  [
    "a package by its bare name",
    ["--provider", "evil"],
    (place, evil) => {
      place.put("root/x/node_modules/evil/package.json", '{"name":"evil","main":"x.mjs"}');
      place.put("root/x/node_modules/evil/x.mjs", evil);
    },
  ],
  [
    "the module of a tool",
    ["--provider", "offline"],
    (place, evil) => configured(place, { tools: ["./evil.mjs"] }, evil),
  ],
  [
    "a tool by its bare name",
    ["--provider", "offline", "--tool", "evil"],
    (place, evil) => {
      place.put("root/x/node_modules/evil/package.json", '{"name":"evil","main":"x.mjs"}');
      place.put("root/x/node_modules/evil/x.mjs", evil);
    },
  ],
];

const gits: readonly [name: string, make: (place: Place) => void][] = [
  ["a .git file", (place) => void place.put("root/x/.git", "gitdir: ../.git/modules/x\n")],
  ["a .git folder", (place) => void place.put("root/x/.git/HEAD")],
  ["a link as .git", (place) => symlinkSync("../.git", join(folder(place), ".git"))],
];

export const nestedProjects: readonly NestedProject[] = [
  ...files.flatMap(([file, args, make]) =>
    gits.map(
      ([git, makeGit]): NestedProject => [
        `${file}, in a folder with ${git}`,
        args,
        (place, evil) => {
          makeGit(place);
          make(place, evil);
        },
      ],
    ),
  ),
  [
    "a provider module, in a folder without .git",
    [],
    (place, evil) => configured(place, { provider: "./evil.mjs" }, evil),
  ],
];

export function nestedAttack([name, args, prepare]: NestedProject): Attack {
  return {
    name: `below a trusted project: ${name}`,
    isDear: true,
    async run(place) {
      place.put("root/.git/HEAD");
      await trustNow(place);
      folder(place);
      prepare(place, evilModule(join(place.outer, "pwned")));
      // What is asked about once is asked about the second time, too, unless the person said yes.
      for (const _ of ["first", "second"])
        await place.cogency(["run", "hello", ...args], { cwd: join(place.root, "x") });
      return place.text("pwned") === undefined ? undefined : "its module ran in the process of the app";
    },
  };
}

function folder(place: Place): string {
  mkdirSync(join(place.root, "x"), { recursive: true });
  return join(place.root, "x");
}

function configured(place: Place, content: object, evil: string): void {
  place.put("root/x/.cogency/config.json", JSON.stringify(content));
  place.put("root/x/.cogency/evil.mjs", evil);
}
