import { createSlots } from "@cogency/async";

/**
 * Works on many files, some at a time: the system then writes what they flush in one go, where each would wait for the disk by itself.
 * The results are in the order of the files.
 *
 * @throws the first error, when all have ended
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const slots = createSlots(mostAtOnce);
  const ends = await Promise.allSettled(items.map((item) => slots.run(() => work(item))));
  return ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
}

const mostAtOnce = 16;
