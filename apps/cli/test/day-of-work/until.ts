import { setTimeout } from "node:timers/promises";

/** Milliseconds after which something that should happen counts as lost: longer than the lease of a process that was killed. */
const patience = 60_000;

/**
 * Looks until something holds.
 *
 * @param context what is shown when it never does
 * @returns what `look` found
 */
export async function until<Found>(
  what: string,
  look: () => Found | undefined | false,
  context: () => string = () => "",
): Promise<Found> {
  const begun = performance.now();
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found as Found;
    if (performance.now() - begun > patience)
      throw new Error(`Not so after ${patience / 1000} s: ${what}.\n${context()}`);
    await setTimeout(30);
  }
}
