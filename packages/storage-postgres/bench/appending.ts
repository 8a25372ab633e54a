import type { Target } from "@tooling/bench";
import { postgresStore } from "../src/index.ts";
import { bareLog, countedName, countingName } from "./bare-log.ts";
import { compareByTheClock } from "./by-the-clock.ts";
import { eventsOf } from "./events.ts";

export async function appending(url: string, server: string): Promise<Target[]> {
  const targets: Target[] = [];
  const store = await postgresStore({ url });
  for (const size of [1, 10, 100]) {
    const counting = await bareLog(url, countingName);
    const counted = await bareLog(url, countedName);
    const commits = size === 100 ? 25 : 75;
    const batch = eventsOf(size);
    const [, ratio = Number.NaN] = await compareByTheClock(
      `append events, ${size} per commit, ${server}`,
      { rounds: 45, operations: size * commits },
      { name: countingName, run: () => repeat(commits, () => counting.append(batch)) },
      { name: countedName, run: () => repeat(commits, () => counted.append(batch)) },
      { name: "postgresStore", run: () => repeat(commits, () => store.append({ conversation: `c${size}` }, batch)) },
    );
    await Promise.all([counting.close(), counted.close()]);
    targets.push({ what: `append, ${size} per commit, ${server}`, value: 100 / ratio, unit: "%", least: 80 });
  }
  await store.close();
  return targets;
}

async function repeat(count: number, run: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done++) await run();
}
