import type { LogEvent, UserEvent } from "@cogency/protocol";
import type { RunContext } from "../run-context.ts";

/**
 * Says in the log, to the model and to the consumer, what the loop has to say.
 *
 * @param records stored with it
 */
export async function tellModel(
  { settings, log, outlet, timeline }: RunContext,
  content: string,
  records: readonly LogEvent[] = [],
): Promise<void> {
  const notice: UserEvent = { type: "user", content, origin: "notice", timestamp: settings.clock() };
  await log.append([notice, ...records]);
  timeline.tell(() => ({ type: "notified", content }));
  await outlet.put(notice);
}
