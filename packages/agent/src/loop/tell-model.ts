import type { LogEvent, UserEvent } from "@cogency/protocol";
import type { RunContext } from "../run-context.ts";

/**
 * Says in the log, to the model and to the consumer, what the program has to say.
 *
 * @param records stored after the words, in the same append
 */
export async function tellModel(
  { settings, log, outlet, timeline }: RunContext,
  words: readonly string[],
  records: readonly LogEvent[] = [],
): Promise<void> {
  const timestamp = settings.clock();
  const notices = words.map(
    (content): UserEvent => ({ type: "user", content: content.toWellFormed(), origin: "notice", timestamp }),
  );
  if (notices.length + records.length === 0) return;
  await log.append([...notices, ...records]);
  for (const { content } of notices) timeline.tell(() => ({ type: "notified", content }));
  await outlet.put(...notices);
}
