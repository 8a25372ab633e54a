import { styleText } from "node:util";
import type { Parked, WakeQueue } from "@cogency/storage";
import { UsageError } from "../base/errors/usage-error.ts";
import { scopeOf } from "../base/scope-of.ts";
import { put, putLine } from "../base/terminal/output.ts";
import { oneLine, widthOr } from "../base/terminal/text.ts";
import { type HistoryOptions, withHistory } from "../place/store/with-history.ts";
import { workerLines } from "./worker-lines.ts";

export interface WorkersOptions {
  store: string;
  /** `-` for an agent without one. */
  scope?: string;
  json?: true;
}

/** `cogency workers`: what is due in a scope, who has claimed what, and what is parked. */
export async function workersCommand({ store: place, scope: named, json }: WorkersOptions): Promise<void> {
  const scope = named === "-" ? undefined : (named ?? scopeOf("."));
  const [queue, parked] = await withHistory({ store: place }, (store) =>
    Promise.all<[Promise<WakeQueue>, Promise<Parked[]>]>([store.queue({ scope }), store.parked({ scope })]),
  );
  if (json) return putLine({ ...queue, parked });
  const dim = (text: string) => styleText("dim", text, { stream: process.stdout });
  const columns = widthOr(process.stdout, Number.POSITIVE_INFINITY);
  await put(`${workerLines(queue, parked, { columns, dim }).join("\n")}\n`);
}

/**
 * `cogency workers release`: makes a parked conversation due again.
 *
 * @throws UsageError if it is not parked
 */
export async function releaseCommand(conversation: string, { store: place, user }: HistoryOptions): Promise<void> {
  const isReleased = await withHistory({ store: place }, (store) => store.unpark({ conversation, user }));
  const name = oneLine(conversation, 60);
  if (!isReleased) {
    const whose = user === undefined ? " Of another user's, give --user." : "";
    throw new UsageError(`${name} is not parked. \`cogency workers\` lists those that are.${whose}`);
  }
  await put(`${name} is due again: a worker goes on with it.\n`);
}
