import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import { evilModule, trustNow } from "./trusted.ts";

/** What changes after a person has looked. Returns what must be kept out, as `broken` finds it. */
export type SwappedFile = [
  name: string,
  before: (place: Place) => unknown,
  after: (place: Place, evil: string) => Promise<void> | void,
];

const honest = "export default () => ({});";
const config = (place: Place, content: object) => void place.put("root/.cogency/config.json", JSON.stringify(content));

export const swappedFiles: readonly SwappedFile[] = [
  [
    "the provider module",
    (place) => [config(place, { provider: "./p.mjs" }), place.put("root/.cogency/p.mjs", honest)],
    (place, evil) => void place.put("root/.cogency/p.mjs", evil),
  ],
  [
    "the provider module, which was missing",
    (place) => config(place, { provider: "./p.mjs" }),
    (place, evil) => void place.put("root/.cogency/p.mjs", evil),
  ],
  [
    "the entry of the provider's package",
    (place) => {
      config(place, { provider: "./p" });
      place.put("root/.cogency/p/package.json", '{"main":"a.mjs"}');
      place.put("root/.cogency/p/a.mjs", honest);
    },
    (place, evil) => {
      place.put("root/.cogency/p/package.json", '{"main":"b.mjs"}');
      place.put("root/.cogency/p/b.mjs", evil);
    },
  ],
  [
    "the configuration, and then a folder above it is trusted again",
    (place) => config(place, { model: "m" }),
    async (place, evil) => {
      place.put("root/.cogency/p.mjs", evil);
      config(place, { provider: "./p.mjs" });
      await trustNow(place, place.outer);
    },
  ],
];

export function swappedAttack([name, before, after]: SwappedFile): Attack {
  return {
    name: `changed since it was trusted: ${name}`,
    isDear: true,
    async run(place) {
      place.put("root/.git/HEAD");
      before(place);
      await trustNow(place);
      await after(place, evilModule(join(place.outer, "pwned")));
      await place.cogency(["run", "hello"]);
      return place.text("pwned") === undefined ? undefined : "it ran in the process of the app";
    },
  };
}
