import { join } from "node:path";
import { median, type Target } from "@tooling/bench";
import { sqliteStore } from "../src/index.ts";
import { eventOf } from "./events.ts";

const conversations = 100_000;

export async function opening(folder: string): Promise<Target[]> {
  const path = join(folder, "many.db");
  const store = await sqliteStore({ path });
  const start = performance.now();
  for (let index = 0; index < conversations; index++) {
    await store.append({ conversation: `conversation ${index}`, user: `user ${index % 100}` }, [eventOf(index)]);
  }
  const perBeginning = (performance.now() - start) / conversations;
  await store.close();
  const times = { open: [] as number[], list: [] as number[] };
  for (let round = 0; round < 15; round++) {
    const begin = performance.now();
    const opened = await sqliteStore({ path });
    const isOpen = performance.now();
    await opened.conversations({ user: "user 7" });
    times.open.push(isOpen - begin);
    times.list.push(performance.now() - isOpen);
    await opened.close();
  }
  const [open, list] = [median(times.open), median(times.list)];
  console.log(
    [
      `${conversations.toLocaleString("en-US")} conversations, by the clock`,
      `  begin one           ${perBeginning.toFixed(3)} ms`,
      `  open the store      ${open.toFixed(2)} ms`,
      `  the first list, 50  ${list.toFixed(2)} ms\n`,
    ].join("\n"),
  );
  return [{ what: "open a store with 100,000 conversations", value: open, unit: "ms", most: 50 }];
}
