import { eventually } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";

/** The time by the clock of the store, in Unix milliseconds. The machine of the store may not be this one. */
export async function timeOf(store: Store): Promise<number> {
  const ttl = 60_000;
  const slot = await store.slot("the clock of the store", { limit: 1_000_000, owner: "the kit", ttl });
  if (!slot) throw new Error("A slot with a limit of a million was refused.");
  const time = slot.expiresAt - ttl;
  await slot.release();
  return time;
}

/** Waits until the clock of the store has reached a time. */
export async function whenPast(store: Store, time: number, patience: number): Promise<void> {
  await eventually(async () => (await timeOf(store)) >= time, patience, "The clock of the store did not go on");
}
