import type { Agent } from "@cogency/agent";
import { Problem } from "@cogency/server";
import type { Key, Store } from "@cogency/storage";

/**
 * Posts what a person writes on the page. A prompt for a conversation of another folder is refused: nothing here goes on with it,
 * because that folder has its own rules and tools.
 */
export function pageSender(agent: Pick<Agent, "send">, store: Store, scope: string): Agent["send"] {
  return async (to, message, options) => {
    if (message.kind === "prompt") await refuseElsewhere(to, store, scope);
    const id = await agent.send(to, message, options);
    await store.unpark(to);
    return id;
  };
}

async function refuseElsewhere(key: Key, store: Store, scope: string): Promise<void> {
  const [first] = await store.load(key, { types: ["record"], limit: 1 });
  const origin = first?.type === "record" && first.kind === "origin" ? first.data?.scope : undefined;
  if (typeof origin !== "string" || origin === scope) return;
  throw new Problem(
    "conflict",
    `This conversation belongs to the folder ${origin}. Run cogency open there, or fork it to go on here.`,
  );
}
