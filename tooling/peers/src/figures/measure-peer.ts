import type { PeerFigures, Result } from "./figures.ts";
import { oneShot } from "./one-shot.ts";
import type { Session } from "./session.ts";
import { startToPrompt } from "./start.ts";
import { steps } from "./steps.ts";
import { streaming } from "./streaming.ts";
import { work } from "./work.ts";

/** The kinds of figures that can be asked for. */
export const kinds = ["figures", "steps", "work"] as const;
export type Kind = (typeof kinds)[number];

/** Measures what was asked for, one after another. `reason` is why the peer cannot be measured at all. */
export async function measurePeer(
  session: Session,
  asked: ReadonlySet<Kind>,
  port: number,
  reason?: string,
): Promise<PeerFigures> {
  const { name, from, modes = [{ name: "as it comes", options: [] }] } = session.peer;
  const tried = <Figure>(what: string, measure: () => Promise<Figure>) => {
    console.error(`${name}: ${what}`);
    return attempt(measure, reason);
  };
  const works: { mode: string; result: Result<Awaited<ReturnType<typeof work>>> }[] = [];
  const basic = asked.has("figures") && {
    start: await tried("start to prompt", () => startToPrompt(session)),
    oneShot: await tried("one-shot prompts", () => oneShot(session)),
    streaming: await tried("1 MB of Markdown", () => streaming(session)),
  };
  const turn = asked.has("steps") && { steps: await tried("a turn of 200 steps", () => steps(session)) };
  if (asked.has("work"))
    for (const mode of modes)
      works.push({
        mode: mode.name,
        result: await tried(`eight steps of work, ${mode.name}`, () => work(session, mode, port)),
      });
  return { name, ...(from && { version: from.version }), ...basic, ...turn, ...(asked.has("work") && { work: works }) };
}

async function attempt<Figure>(measure: () => Promise<Figure>, reason?: string): Promise<Result<Figure>> {
  if (reason !== undefined) return { failed: reason };
  try {
    return { value: await measure() };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
