import type { Attack } from "../../harness/attack.ts";
import { effectOf } from "./effect-of.ts";
import { readNotes } from "./recalls.ts";
import { sinks } from "./sources-and-sinks.ts";

export const controls: Attack[] = [
  ...Object.entries({ ...sinks.private, ...sinks.untrusted }).map(
    ([name, last]): Attack => ({
      name: `control: ${name} with nothing before it`,
      isControl: true,
      run: (place) => effectOf(place, { steps: [], last, way: "next step", mustRun: true }),
    }),
  ),
  {
    name: "control: a rule for this very call, after a page",
    isControl: true,
    run: (place) =>
      effectOf(place, {
        steps: [[{ name: "guest", args: {} }]],
        last: { name: "change", args: {} },
        way: "next step",
        decision: "allow_anyway",
        mustRun: true,
      }),
  },
  {
    name: "control: in its own project recall finds it",
    isControl: true,
    isDear: true,
    async run(place) {
      await place.run([readNotes], [`magpie ${place.canary}`, "--conversation", "first"]);
      const { stdout } = await place.run([[{ name: "recall", args: { query: "magpie" } }]], ["go", "--json", "--yes"]);
      return stdout.includes(place.canary) ? undefined : "it was not found";
    },
  },
];
