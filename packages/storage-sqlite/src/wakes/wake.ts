import type { Store } from "@cogency/storage";
import { finiteTime } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { rowChecksum } from "../rows/checksum.ts";
import { dueTimeOf } from "../rows/due-time.ts";
import { keyTexts } from "../rows/names.ts";
import type { Due } from "./due.ts";
import type { Keys } from "./keys.ts";

export function prepareWake({ sqlite, refuseIfClosed, write }: Database, keys: Keys, due: Due): Store["wake"] {
  const setTimer = sqlite.prepare("INSERT OR REPLACE INTO timers (key, id, at, checksum) VALUES (?, ?, ?, ?)");

  return async (key, { id, at, scope }) => {
    refuseIfClosed();
    finiteTime("at", at);
    const texts = keyTexts(key);
    const text = JSON.stringify(id);
    const time = dueTimeOf(at);
    await write(() => {
      const number = keys.write(texts, scope);
      setTimer.run(number, text, time, timerChecksum(number, text, time));
      due.update(number);
    });
  };
}

/** The checksum of a row in `timers`. */
export function timerChecksum(key: number, id: string, at: number): number {
  return rowChecksum(key, id, at);
}
