import type { Attack } from "../../harness/attack.ts";
import type { Random } from "../../harness/random.ts";
import { effectOf } from "./effect-of.ts";
import type { Flow, Way } from "./flows.ts";
import { type Call, sinks, sources } from "./sources-and-sinks.ts";

export function flowAttack({ holds, source, sink, way }: Flow): Attack {
  return {
    name: `${holds}: ${source}, then ${sink} (${way})`,
    ...(source.includes("command") && { isDear: true }),
    async run(place) {
      const from = sources[holds][source];
      const to = sinks[holds][sink];
      if (!from || !to) throw new Error("There is no such source or sink.");
      return effectOf(place, { steps: [[from]], last: to, way });
    },
  };
}

/** Puts several harmless steps between source and sink. */
export function longWayAttack(index: number, random: Random): Attack {
  const holds = random.pick(["private", "untrusted"] as const);
  const source = random.pick(Object.keys(sources[holds]).filter((name) => !name.includes("command")));
  const sink = random.pick(Object.keys(sinks[holds]));
  const way = random.pick<Way>(["next step", "next run", "other process", "after a kill", "early start"]);
  // Each call differs, because repeated calls would end the run.
  const quiet = (depth: number): Call => ({ name: "list", args: { path: random.pick([".", "src"]), depth } });
  const others = Array.from({ length: random.below(6) }, (_, step) => [quiet(step + 1)]);
  const mixed = random.below(2) === 0;
  return {
    name: `long way ${index}: ${holds}: ${source}, ${others.length} steps, then ${sink} (${way})`,
    async run(place) {
      const from = sources[holds][source] as Call;
      const steps = mixed ? [[{ name: "list", args: { path: "vendor" } }, from], ...others] : [[from], ...others];
      return effectOf(place, { steps, last: sinks[holds][sink] as Call, way });
    },
  };
}
