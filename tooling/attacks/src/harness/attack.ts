import type { Place } from "./place.ts";
import type { Random } from "./random.ts";

/** One hostile input, and what decides whether it was held. */
export interface Attack {
  name: string;
  /**
   * Carries it out. Returns what really happened if that must not happen, such as "package.json was changed";
   * undefined if it was held.
   *
   * @throws SkippedError where this machine cannot show it
   */
  run(place: Place): Promise<string | undefined>;
  /** Starts processes: the test takes few of these, the soak all. */
  isDear?: true;
  /** The page that says that this is not kept out. The run fails if it is, so that the page follows. */
  openBy?: string;
  /**
   * The same way with an honest input: it says what is wrong if that is refused, or if what the attacks look for would
   * not be seen. Not counted as an attack.
   */
  isControl?: true;
}

export interface AttackClass {
  name: string;
  /** How many of the cheap and of the dear ones the test tries; all in the soak. */
  slice: { cheap: number; dear: number };
  /** Generated inputs follow from `random`. */
  attacks(random: Random): readonly Attack[];
}

/** An attack needs something that is not here, such as a program. */
export class SkippedError extends Error {
  override readonly name = "SkippedError";
}
