import type { Agent } from "@cogency/agent";
import { Problem } from "@cogency/server";
import type { Key, MessageContent, Store } from "@cogency/storage";
import { scopeOfLog } from "../../base/scope-of-log.ts";
import { refusal } from "../../person/approval/choices.ts";
import type { OpenAgent } from "../../work/open-agent.ts";
import { pageCommand } from "./page-command.ts";

/**
 * Posts what a person writes on the page. A prompt for a conversation of another folder is refused: nothing here goes on with it,
 * because that folder has its own rules and tools. One that names a command stands for its text.
 */
export function pageSender(
  agent: Pick<Agent, "send">,
  store: Store,
  scope: string,
  opened: Pick<OpenAgent, "commands" | "root">,
): Agent["send"] {
  return async (to, message, options) => {
    const said = await pageCommand(message, opened);
    if (said.kind === "prompt") await refuseElsewhere(to, store, scope);
    const id = await agent.send(to, asAtTheTerminal(said), options);
    await store.unpark(to);
    return id;
  };
}

/** The model reads the same of a no, wherever it was said. */
function asAtTheTerminal(message: MessageContent): MessageContent {
  return message.kind === "deny" ? { ...message, reason: refusal(message.reason?.trim() ?? "") } : message;
}

async function refuseElsewhere(key: Key, store: Store, scope: string): Promise<void> {
  const origin = scopeOfLog(await store.load(key, { types: ["record"], limit: 1 }));
  if (origin === undefined || origin === scope) return;
  throw new Problem(
    "conflict",
    `This conversation belongs to the folder ${origin}. Run cogency open there, or fork it to go on here.`,
  );
}
