import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import type { Terminal } from "../../base/terminal/terminal.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { isAgreed } from "../is-agreed.ts";
import type { ComparedModel } from "./compared-models.ts";

/** Steps that no person is asked about. */
const unasked = 20;

/**
 * Says how often models are asked at most, and asks a person where that is much.
 *
 * @param steps of all conversations for one model, at most
 * @returns whether to go on
 * @throws UsageError if nobody can be asked
 */
export async function isPlanAgreed(
  models: readonly ComparedModel[],
  steps: number,
  { isAgreedTo, terminal }: { isAgreedTo: boolean; terminal: Terminal | undefined },
): Promise<boolean> {
  const names = models.map(({ name }) => oneLine(name, 60)).join(", ");
  const plan = `At most ${counted(steps, "step")} with each of: ${names}.`;
  note(plan);
  const isFree = models.every(({ chosen }) => chosen.provider.name === "offline");
  if (isFree || isAgreedTo || steps * models.length <= unasked) return true;
  if (!terminal) throw new UsageError(`${plan} That may cost money: give --yes to agree to it.`);
  return isAgreed([plan], terminal, "Each step is a request that may cost money. Go on?");
}
