import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import { evilModule, evilScript, trustNow } from "./trusted.ts";

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
    "a file that the provider module imports",
    (place) => {
      config(place, { provider: "./p.mjs" });
      place.put("root/.cogency/p.mjs", 'export { default } from "./q.mjs";');
      place.put("root/.cogency/q.mjs", honest);
    },
    (place, evil) => void place.put("root/.cogency/q.mjs", evil),
  ],
  [
    "the module of a tool",
    (place) => [config(place, { tools: ["./t.mjs"] }), place.put("root/.cogency/t.mjs", "export default [];")],
    (place, evil) => void place.put("root/.cogency/t.mjs", evil),
  ],
  [
    "the module of a tool with options, which was missing",
    (place) => config(place, { tools: [{ use: "./t.mjs", options: {} }] }),
    (place, evil) => void place.put("root/.cogency/t.mjs", evil),
  ],
  [
    "a file that the module of a tool requires",
    (place) => {
      config(place, { tools: ["./t.cjs"] });
      place.put("root/.cogency/t.cjs", 'module.exports = require("./u");');
      place.put("root/.cogency/u.js", "module.exports = [];");
    },
    (place) => void place.put("root/.cogency/u.js", evilScript(join(place.outer, "pwned"))),
  ],
  [
    "a file that the module of a tool imports by a path that it puts together",
    (place) => {
      config(place, { tools: ["./t.mjs"] });
      place.put("root/.cogency/t.mjs", 'await import("./" + "u.mjs"); export default [];');
      place.put("root/.cogency/u.mjs", "");
    },
    (place, evil) => void place.put("root/.cogency/u.mjs", evil),
  ],
  [
    "the list of tools, which names another module",
    (place) => config(place, { tools: ["read"] }),
    (place, evil) => {
      place.put("root/.cogency/t.mjs", evil);
      config(place, { tools: ["read", "./t.mjs"] });
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
      await place.cogency(["run", "hello", "--provider", "offline"]);
      return place.text("pwned") === undefined ? undefined : "it ran in the process of the app";
    },
  };
}
