import { type Attack, SkippedError } from "./attack.ts";
import { openPlace } from "./place.ts";

export interface Outcome {
  attack: Attack;
  /**
   * `open`: it succeeded, and a page says so. `failed`: it could not be carried out as intended, so it proves nothing.
   */
  end: "held" | "broke" | "open" | "skipped" | "failed";
  how: string;
}

/** Carries out one attack in folders of its own. */
export async function runAttack(attack: Attack): Promise<Outcome> {
  const place = openPlace();
  const limit = deadline();
  try {
    const how = await Promise.race([attack.run(place), limit.passed]);
    if (attack.openBy === undefined) return { attack, end: how === undefined ? "held" : "broke", how: how ?? "" };
    if (how !== undefined) return { attack, end: "open", how };
    return { attack, end: "failed", how: `It was held, but ${attack.openBy} says that nothing keeps it out.` };
  } catch (error) {
    if (error instanceof SkippedError) return { attack, end: "skipped", how: error.message };
    return { attack, end: "failed", how: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    limit.clear();
    await place.close();
  }
}

/** Milliseconds; honest work of these sizes never takes so long. */
const longest = 60_000;

function deadline() {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`it had not ended after ${longest / 1000} s`), longest);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

/** A line that names an attack and what happened. */
export function lineOf({ attack, how }: Outcome): string {
  return `${attack.name}: ${how.split("\n").slice(0, 2).join(" ").slice(0, 300)}`;
}
