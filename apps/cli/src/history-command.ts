import { existsSync } from "node:fs";
import type { StoredEvent } from "@cogency/storage";
import { openStore } from "./open-store.ts";
import { transcript } from "./transcript.ts";
import { unknownConversation } from "./unknown-conversation.ts";
import { UsageError } from "./usage-error.ts";

export interface HistoryOptions {
  store: string;
  json?: true;
  thinking?: true;
}

/**
 * `cogency history show`.
 *
 * @throws UsageError if there is no such conversation
 */
export async function historyCommand(conversation: string, { store: path, ...options }: HistoryOptions): Promise<void> {
  // To look is not to create.
  if (!existsSync(path)) throw new UsageError(`There is no conversation yet: ${path} does not exist.`);
  const store = await openStore(path);
  try {
    const events = await store.load({ conversation });
    if (events.length === 0) throw await unknownConversation(conversation, store, path);
    const { stdout } = process;
    stdout.write(
      options.json ? jsonLines(events) : transcript(events, { thinking: options.thinking ?? false, stream: stdout }),
    );
  } finally {
    await store.close();
  }
}

function jsonLines(events: readonly StoredEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}
