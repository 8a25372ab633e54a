import type { Place } from "./place.ts";
import type { Random } from "./random.ts";

/** One hostile input, and the check whether it was held. */
export interface Attack {
  name: string;
  /**
   * Carries the attack out. Returns the effect that must not happen, such as "package.json was changed"; undefined if
   * the attack was held.
   *
   * @throws SkippedError if this machine lacks something
   */
  run(place: Place): Promise<string | undefined>;
  /** Starts processes. The test runs few of these attacks, the soak all. */
  isDear?: true;
  /** The page that says that this attack succeeds. If it is held, the run fails, so that the page gets corrected. */
  openBy?: string;
  /**
   * An honest input that goes the same way. Returns what is wrong if it is refused, or if the check could not see an
   * effect. Not counted as an attack.
   */
  isControl?: true;
}

export interface AttackClass {
  name: string;
  /** How many of the cheap and of the dear attacks the test runs. The soak runs all. */
  slice: { cheap: number; dear: number };
  /** Makes the attacks. Generated inputs depend only on `random`. */
  attacks(random: Random): readonly Attack[];
}

/** The machine lacks something that the attack needs, such as a program. */
export class SkippedError extends Error {
  override readonly name = "SkippedError";
}
