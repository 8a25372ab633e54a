import { longestTimer } from "@cogency/async";
import { WebError } from "../web-error.ts";

/** @throws WebError `option_invalid` */
export function checkLimits(limits: Record<string, number>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value > 0 && value <= longestTimer) continue;
    const message = `${name} is ${value}; give a number above zero and at most ${longestTimer}.`;
    throw new WebError("option_invalid", "", message);
  }
}
