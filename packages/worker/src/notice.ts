import type { Failure } from "@cogency/agent/failure";
import type { LogEvent } from "@cogency/protocol";
import { type Claim, isStoreError, type Key, type Store } from "@cogency/storage";
import { boundOf, longestBound } from "./next-try.ts";
import { type LoggedTrouble, troubleOf } from "./trouble-of.ts";
import type { Verdict } from "./verdict.ts";

/**
 * The record that tells the person who waits about a failure; undefined if the log says it already. While the waits grow, each try has
 * its notice, with the time of the next one. After that a try that fails as an earlier one did leaves none, so that an outage of a day
 * costs a log a dozen records.
 *
 * @param now Unix time in milliseconds by the clock of the store
 */
export function noticeOf(
  { code, says, kind }: Failure,
  verdict: Verdict,
  { codes }: LoggedTrouble,
  now: number,
): LogEvent | undefined {
  const timestamp = Math.round(now) / 1000;
  const isKnown = codes.includes(code);
  const notice = (then: string, rest: { retryAt?: number; parked?: true } = {}): LogEvent => ({
    type: "record",
    kind: "notice",
    data: { code, message: `${says} ${then}`, ...rest },
    timestamp,
  });
  if (verdict.type === "parked") return notice(parkedText, { parked: true });
  if (verdict.type !== "later") return isKnown ? undefined : notice("The next message tries again.");
  const waits = boundOf(codes.length);
  if (kind === "again" && isKnown && waits === boundOf(codes.length - 1)) return undefined;
  const often = waits === longestBound ? `, about every ${longestBound / 60_000} minutes` : "";
  return notice(`It is tried again by itself${often}.`, { retryAt: Math.round(verdict.at) / 1000 });
}

/** Tells of a conversation over which too many workers were lost, if the store can still read and write it. */
export async function storeLostNotice(store: Store, { key, claimedAt }: Claim): Promise<void> {
  const message = `Several tries in a row did not come to an end. ${parkedText}`;
  const data = { code: "not_ended", message, parked: true } as const;
  try {
    const { last } = await troubleOf(store, key);
    await storeNotice(
      store,
      key,
      { type: "record", kind: "notice", data, timestamp: Math.round(claimedAt) / 1000 },
      last,
    );
  } catch (error) {
    if (!isStoreError(error)) throw error;
  }
}

const parkedText = "It is not tried again until somebody who runs this service has mended that.";

/**
 * Stores a notice at the end of a log, unless that goes on meanwhile.
 *
 * @param last the last sequence number that was read; a log without events gets none, because it would begin with it
 */
export async function storeNotice(store: Store, key: Key, notice: LogEvent, last: number): Promise<void> {
  if (last === 0) return;
  try {
    await store.append(key, [notice], { expected: last });
  } catch (error) {
    // Another run has gone on, or the store fails: what becomes of the claim counts, and says so.
    if (!isStoreError(error)) throw error;
  }
}
