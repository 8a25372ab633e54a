import type { InboxMessage } from "./inbox.ts";

/** Whether a message that waits for an idle conversation begins a turn: a prompt, or a notice that wakes. A steer waits for one of them. */
export function beginsTurn(message: InboxMessage): boolean {
  return message.kind === "prompt" || (message.kind === "notice" && message.wakes !== false);
}
