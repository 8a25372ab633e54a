import { WebError } from "./web-error.ts";

/** @throws WebError `option_invalid` */
export function checkLimits(limits: Record<string, number>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value > 0 && value <= LARGEST) continue;
    const message = `${name} is ${value}; give a number above zero and at most ${LARGEST}.`;
    throw new WebError("option_invalid", "", message);
  }
}

/** A timer that is set for longer fires at once. */
const LARGEST = 2 ** 31 - 1;
