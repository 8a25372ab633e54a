import type { RecordEvent } from "@cogency/protocol";
import type { Key } from "@cogency/storage";
import { endingOf, endingOfCancelled } from "../ending.ts";
import { randomId } from "../flat-text.ts";
import { send } from "../inbox/send.ts";
import { askAgain } from "../log/ask-again.ts";
import type { Run, RunResult } from "../run.ts";
import type { Settings } from "../settings.ts";
import { parentIn } from "./parent-record.ts";

/** The conversation of a person to which that of a run belongs, if the run failed because it is that of an agent below. */
export function rootBehind({ error }: RunResult): string | undefined {
  if (error?.code !== "of_subagent") return undefined;
  const { root } = (error.cause ?? {}) as { root?: unknown };
  return typeof root === "string" ? root : undefined;
}

/**
 * Goes on with the root, whose calls go on with the agents that they have started. If the root has ended, and the agent worked in the
 * background when its process died, tells the root's model, which decides about it.
 */
export async function goOnWithRoot(
  settings: Settings,
  child: Key,
  root: string,
  goOn: (conversation: string) => Run<unknown>,
): Promise<RunResult> {
  const result = await goOn(root).result;
  if (result.status !== "completed" && result.status !== "stopped") return result;
  const { store } = settings;
  const [log, above] = await Promise.all([
    askAgain(() => store.load(child)),
    askAgain(() => store.load({ ...child, conversation: root }, { types: ["record"] })),
  ]);
  const known = above.find(
    (event) => event.type === "record" && event.kind === "child" && event.data?.conversation === child.conversation,
  );
  await refuseRest(settings, child);
  const isInBackground = known?.type === "record" && known.kind === "child" && known.data.background === true;
  if (!isInBackground || endingOf(log) || endingOfCancelled(log)) return result;
  const content = `The agent ${parentIn(log)?.agents.at(-1)} (${child.conversation}) was interrupted: its process has ended. The tool agent_result goes on with it.`;
  const to = { ...child, conversation: root };
  await send(settings, to, { kind: "notice", content }, { id: `${child.conversation}#${log.length}` });
  return result;
}

/** No run takes what was sent to the agent: it would stay due for it. */
async function refuseRest({ store, lease: { owner, ttl }, clock }: Settings, child: Key): Promise<void> {
  const messages = await askAgain(() => store.inbox(child));
  if (messages.length === 0) return;
  const lease = await store.lease(child, { owner: `${owner}#${randomId()}`, ttl });
  try {
    const refused = "The agent does not work any more.";
    const takes = messages.map(({ id }) => id);
    const records = messages.map(({ id, message: { kind } }): RecordEvent => {
      return { type: "record", kind: "message", data: { id, kind: String(kind), refused }, timestamp: clock() };
    });
    await store.append(child, records, { lease, takes });
  } finally {
    await lease.release();
  }
}
