import type { Price } from "../ways.ts";
import type { TurnFigures } from "./figures.ts";

type Billed = Pick<TurnFigures, "input" | "cached" | "written">;

/** What turns cost in all, in tokens of input at the full price. What the model writes is not part of it: it is the same for all. */
export function costOf(turns: readonly Billed[], { cached, written }: Price): number {
  const sum = totalOf(turns);
  return Math.round(sum.input - sum.cached - sum.written + sum.cached * cached + sum.written * written);
}

/** The sum of each figure. */
export function totalOf<Part extends Partial<TurnFigures>>(turns: readonly Part[]): Part {
  const sum: Record<string, number> = {};
  for (const turn of turns) for (const [name, value] of Object.entries(turn)) sum[name] = (sum[name] ?? 0) + value;
  return sum as Part;
}
