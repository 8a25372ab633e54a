import { setTimeout } from "node:timers/promises";
import { type AcpAuthentication, createAcp } from "@cogency/acp";
import { serveOverStdio } from "@cogency/acp/node";
import { redactingStore, type Store } from "@cogency/storage";
import { commandsEnded } from "@cogency/toolbox/shell";
import { version } from "../../../package.json";
import type { Cancellation } from "../../base/cancellation.ts";
import { complain, messageOf } from "../../base/errors/message-of.ts";
import { redacted } from "../../base/errors/redacted.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { visible } from "../../base/terminal/text.ts";
import { deleteConversation } from "../../place/store/delete-conversation.ts";
import { scopeIn } from "../../place/store/find-conversation.ts";
import { openStore } from "../../place/store/open-store.ts";
import { agentWithoutModel } from "../../work/agent-without-model.ts";
import type { ChangingChoice } from "../../work/changing-agent.ts";
import { chooseProvider } from "../../work/provider/choose-provider.ts";
import { forkConversation } from "../../work/undo/fork-conversation.ts";
import { openSession } from "./open-session.ts";
import { refused } from "./refused.ts";
import { sessionList } from "./session-list.ts";

/** Milliseconds that commands which ignore signals may take to end and to be cleaned up. */
const longestEnd = 8000;

/**
 * `cogency acp`: works in the editor that has started it, by the Agent Client Protocol over stdin and stdout, until the editor closes
 * them.
 *
 * @param choiceIn the options with the configuration of a folder
 * @returns the exit code
 * @throws UsageError at a terminal, StoreError
 */
export async function acpCommand(
  options: ChangingChoice,
  choiceIn: (folder: string) => Promise<ChangingChoice>,
  cancellation: Cancellation,
): Promise<number> {
  if (process.stdin.isTTY)
    throw new UsageError(
      "cogency acp speaks with an editor, which starts it: name the command in the settings of the editor. At a terminal: cogency chat.",
    );
  const { store: place, redact } = options;
  const kept = await openStore(place);
  const store = redact ? redactingStore(kept) : kept;
  const acp = createAcp({
    info: { name: "cogency", title: "Cogency", version },
    store,
    open: (opening) => refused(() => openSession(opening, { store, place, choiceIn })),
    list: (query) => refused(() => sessionList(store, query)),
    remove: (session) => refused(async () => void (await deleteConversation({ conversation: session }, store, place))),
    fork: (session, as) => refused(() => fork(session, as, store, place)),
    authentication: [keyMethod(options)],
    mcp: { http: true, sse: true },
    explain: (error) => visible(redacted(messageOf(error))),
    onError: complain,
  });
  try {
    await cancellation.during((signal) => {
      // Nothing more is read, as if the editor had gone.
      signal.addEventListener("abort", () => process.stdin.destroy(), { once: true });
      return serveOverStdio(acp);
    });
  } finally {
    await Promise.race([commandsEnded(), setTimeout(longestEnd)]);
    await kept.close();
  }
  return cancellation.exitCode;
}

async function fork(session: string, as: string, store: Store, place: string): Promise<void> {
  const agent = await agentWithoutModel(store, await scopeIn(session, store));
  const { problem } = await forkConversation(session, { as }, { agent, store, place });
  if (problem !== undefined) note(problem);
}

/** How a person gives the key that is missing. */
function keyMethod(options: ChangingChoice): AcpAuthentication {
  return {
    id: "key",
    name: "A key of the model's server",
    description:
      "Keep the key with cogency config key set OPENAI_API_KEY (or ANTHROPIC_API_KEY, GEMINI_API_KEY) in a terminal, or set that variable in the editor's settings of this agent. Servers on this machine need none: add --provider ollama to the arguments.",
    check: () => refused(async () => void (await chooseProvider(options, () => {}))),
  };
}
