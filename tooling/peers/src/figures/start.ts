import { median } from "@tooling/bench";
import { chat, type Session } from "./session.ts";

/** Seconds until a prompt can be typed: the median of three starts after one that does not count. */
export async function startToPrompt(session: Session): Promise<number> {
  const once = () => chat(session, { options: [] }, async (_terminal, _mark, seconds) => seconds);
  await once();
  const times: number[] = [];
  for (let round = 0; round < 3; round++) times.push(await once());
  return median(times);
}
