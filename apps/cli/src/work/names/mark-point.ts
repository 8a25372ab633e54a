import { missingResults } from "@cogency/protocol";
import { isPointName, pointsOf } from "@cogency/protocol/host";
import type { Key, Store } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { isOtherPoint, lastPoint, pointOf } from "../points/point-of.ts";
import { giveName } from "./give-name.ts";

/**
 * Names a point of a conversation. A name that another point has moves here.
 *
 * @param point as `pointOf` reads it; the last one at which the conversation can go on when absent
 * @returns sentences for the person, safe for a terminal
 * @throws UsageError for what is no name, a point that there is not, and one between a call and its result
 */
export async function markPoint(key: Key, name: string, store: Store, point?: string): Promise<string[]> {
  const content = checkedName(name);
  const log = await store.load(key);
  const at = point === undefined ? lastPoint(log) : pointOf(point, log);
  if (at === 0) throw new UsageError("Nothing was said yet, so there is no point to name.");
  if (missingResults(log.slice(0, at)).length > 0)
    throw new UsageError(`Event ${at} is between a call and its result, where no conversation can go on.`);
  const moved = pointsOf(log).some((known) => known.name === content && known.at !== at);
  const later = await giveName(key, { kind: "point", content, at }, store);
  const done = `${moved ? "Moved" : "Named"}: "${oneLine(content, 60)}", after ${counted(at, "event")}.`;
  return [done, ...(later === undefined ? [] : [later])];
}

/**
 * Takes the name of a point back.
 *
 * @returns sentences for the person, safe for a terminal
 * @throws UsageError for a name that no point has
 */
export async function unmarkPoint(key: Key, name: string, store: Store): Promise<string[]> {
  if (!pointsOf(await store.load(key)).some((known) => known.name === name))
    throw new UsageError(`No point of the conversation is named "${oneLine(name, 60)}".`);
  const later = await giveName(key, { kind: "point", content: name, at: 0 }, store);
  return [`No point is named "${oneLine(name, 60)}" any more.`, ...(later === undefined ? [] : [later])];
}

function checkedName(name: string): string {
  const text = name.replaceAll(/\s+/g, " ").trim();
  if (!isPointName(text)) throw new UsageError("The name of a point has 1 to 60 visible characters on one line.");
  if (isOtherPoint(text))
    throw new UsageError(
      `"${oneLine(text, 60)}" means another point: a number, turn:, message:, call_ and undo_ are no names.`,
    );
  return text;
}
