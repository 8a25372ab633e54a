import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isHash, namesIn } from "../copy-folder.ts";
import { packNames, packsFolder } from "./pack.ts";

/**
 * Keeps the packs of all conversations below a limit: those of the conversation that needed them longest ago are dropped first.
 *
 * @param folder the folder of all conversations
 * @param own the name of the conversation that goes on, whose packs stay
 */
export async function makePacksRoom(folder: string, own: string, mostBytes: number): Promise<void> {
  const found: { packs: string; bytes: number; used: number }[] = [];
  for (const name of (await namesIn(folder)).filter(isHash)) {
    const packs = join(folder, name, packsFolder);
    const stats = await Promise.all(
      (await packNames(packs)).map((pack) => stat(join(packs, pack)).catch(() => undefined)),
    );
    const bytes = stats.reduce((sum, each) => sum + (each?.size ?? 0), 0);
    const used = name === own ? Number.POSITIVE_INFINITY : Math.max(0, ...stats.map((each) => each?.mtimeMs ?? 0));
    found.push({ packs, bytes, used });
  }
  found.sort((a, b) => a.used - b.used);
  let total = found.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { packs, bytes, used } of found) {
    if (total <= mostBytes || used === Number.POSITIVE_INFINITY) return;
    await rm(packs, { recursive: true, force: true });
    total -= bytes;
  }
}
