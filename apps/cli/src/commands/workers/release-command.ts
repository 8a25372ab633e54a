import { UsageError } from "../../base/errors/usage-error.ts";
import { put } from "../../base/terminal/output.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { type HistoryOptions, withHistory } from "../../place/store/with-history.ts";

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
