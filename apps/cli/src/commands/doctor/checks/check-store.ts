import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Store } from "@cogency/storage";
import { messageOf } from "../../../base/errors/message-of.ts";
import { counted } from "../../../base/terminal/text.ts";
import { openStore } from "../../../place/store/open-store.ts";
import { isServer, shownStore } from "../../../place/store/store-address.ts";
import { type Finding, fault, ok } from "../finding.ts";

/** Whether the store of the conversations can be opened, read and written. A store that does not exist is not made. */
export async function checkStore(place: string): Promise<Finding> {
  const shown = shownStore(place);
  try {
    if (!isServer(place) && !(await exists(place))) return await checkNewStore(place, shown);
    const store = await openStore(place, { readOnlyIfNeeded: true });
    try {
      const [latest] = await store.conversations({ limit: 1 });
      const events = latest ? `the latest conversation has ${counted(latest.events, "event")}` : "no conversation yet";
      const problem = await problemOfWriting(store);
      if (problem === undefined) return ok("store", `${shown}, ${events}`);
      return fault("store", problem, "Until then, conversations can be read, and none can begin or go on.");
    } finally {
      await store.close();
    }
  } catch (error) {
    const advice = isServer(place)
      ? "Start the server, or give the address of another one in COGENCY_STORE."
      : `Move the file away, as to ${shown}.broken, or give another one in COGENCY_STORE.`;
    return fault("store", messageOf(error as Error), advice);
  }
}

/** Writes a lease of a conversation that does not exist, and removes it. */
async function problemOfWriting(store: Store): Promise<string | undefined> {
  try {
    const name = `doctor-${crypto.randomUUID()}`;
    await (await store.lease({ conversation: name }, { owner: name, ttl: 1000 })).release();
    return undefined;
  } catch (error) {
    return messageOf(error as Error);
  }
}

async function checkNewStore(place: string, shown: string): Promise<Finding> {
  let folder = dirname(resolve(place));
  while (!(await exists(folder))) folder = dirname(folder);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return ok("store", `the first run makes ${shown}`);
  } catch {
    return fault(
      "store",
      `${shown} cannot be made: ${folder} is no folder that you can write to`,
      "Give a place where you can write in COGENCY_STORE.",
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
      throw error;
    },
  );
}
