import { linkSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ToolboxOptions } from "@cogency/toolbox";
import type { Place } from "../../harness/place.ts";
import { furnish } from "./guarded-files.ts";

/** Roots and guarded paths with links, dots or missing files. */
export type UnusualPlace = [name: string, prepare: (place: Place) => ToolboxOptions, file: string];

export const unusualPlaces: readonly UnusualPlace[] = [
  [
    "guarded by way of a link",
    (place) => {
      const options = furnish(place);
      symlinkSync(join(place.outer, "config"), join(place.outer, "alias"));
      return { ...options, guarded: [join(place.outer, "alias")] } as ToolboxOptions;
    },
    "../config/key",
  ],
  [
    "the root by way of a link",
    (place) => {
      const options = furnish(place);
      symlinkSync(place.root, join(place.outer, "work"));
      return { ...options, root: join(place.outer, "work"), access: "project" };
    },
    "state/cogency.db",
  ],
  [
    "the root is a guarded folder's child",
    (place) => {
      const options = furnish(place);
      mkdirSync(join(place.root, ".config", "cogency", "inner"));
      return { ...options, root: join(place.root, ".config", "cogency", "inner"), access: "system" };
    },
    "../key",
  ],
  [
    "the guarded file moves away and back",
    (place) => {
      const options = furnish(place);
      renameSync(join(place.outer, "config"), join(place.outer, "elsewhere"));
      renameSync(join(place.outer, "elsewhere"), join(place.outer, "config"));
      return options;
    },
    "../config/key",
  ],
  [
    "a hard link with another name",
    (place) => {
      const options = furnish(place);
      linkSync(join(place.outer, "config", "key"), join(place.root, "innocent.txt"));
      return { ...options, access: "project" };
    },
    "innocent.txt",
  ],
  [
    "a guarded path with dots in it",
    (place) => {
      const { guarded, ...options } = furnish(place);
      return { ...options, guarded: guarded.map((path) => path.replace("/root/", "/root/src/../")) } as ToolboxOptions;
    },
    "state/cogency.db",
  ],
  [
    "a guarded path with a slash at its end",
    (place) => {
      const { guarded, ...options } = furnish(place);
      return { ...options, guarded: guarded.map((path) => `${path}/`) } as ToolboxOptions;
    },
    "../config/key",
  ],
  [
    "a guarded file that is not there yet",
    (place) => {
      const options = furnish(place, { missing: "root/state/cogency.db" });
      return { ...options, access: "project" };
    },
    "state/cogency.db",
  ],
  [
    "a guarded journal that is not there yet",
    (place) => {
      const options = furnish(place, { missing: "root/state/cogency.db-journal" });
      return { ...options, access: "project" };
    },
    "state/cogency.db-journal",
  ],
  [
    "a guarded folder that is not there yet",
    (place) => {
      const options = furnish(place);
      return { ...options, guarded: [...options.guarded, join(place.root, "state", "later")] } as ToolboxOptions;
    },
    "state/later/cogency.db",
  ],
];
