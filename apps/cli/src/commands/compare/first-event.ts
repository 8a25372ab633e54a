import type { StoredEvent } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { counted } from "../../base/terminal/text.ts";

/**
 * The number of the event that `--from` names: a number, or `message:3` for the third message of the person.
 *
 * @throws UsageError for another text, and for a message that there is not
 */
export function firstEvent(point: string, log: readonly StoredEvent[]): number {
  const [, message, event] = /^(?:message:([1-9]\d{0,8})|([1-9]\d{0,8}))$/.exec(point) ?? [];
  if (event !== undefined) return Number(event);
  if (message === undefined)
    throw new UsageError("--from is the number of an event, such as 12, or message:3 for your third message.");
  const said = log.filter((one) => one.type === "user" && one.origin === undefined);
  const found = said[Number(message) - 1];
  if (found) return found.seq;
  throw new UsageError(`--from: the conversation has ${counted(said.length, "message")} of a person.`);
}
