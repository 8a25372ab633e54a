import type { JsonObject } from "@cogency/protocol";
import type { ThinkingLevel } from "@cogency/provider";
import type { ThinkingWay, ThinkingWays } from "@cogency/provider/http";
import type { AiSdkOptions } from "../options.ts";

/** Stands among the options of a request for the setting `reasoning` of a call, which is none of `providerOptions`. */
export const reasoningOption = "\u0000reasoning";

/** The levels of the setting `reasoning`, the nearest first. Models before v4 have none, and are asked as `thinking` says. */
export function thinkingWays({ thinking: optionsOf }: Pick<AiSdkOptions, "thinking">): ThinkingWays {
  if (optionsOf) {
    return ({ thinking }) => {
      const options = optionsOf(thinking);
      return options ? [{ options }] : [];
    };
  }
  return ({ thinking }) => {
    const [wanted, ...others] = levels[thinking];
    return [way(wanted), ...others.map((level) => ({ ...way(level), instead: level }))];
  };
}

function way(level: string): ThinkingWay {
  return { options: { [reasoningOption]: level } satisfies JsonObject };
}

const levels: Readonly<Record<ThinkingLevel, readonly [string, ...string[]]>> = {
  off: ["none", "minimal"],
  low: ["low"],
  medium: ["medium"],
  high: ["high"],
  max: ["max", "xhigh", "high"],
};
