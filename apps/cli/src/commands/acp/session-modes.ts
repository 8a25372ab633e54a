import type { AcpModes } from "@cogency/acp";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { keyModes, type Mode, modeMeanings, modeOf, withMode } from "../../place/rules/mode.ts";
import type { ChangingAgent, ChangingChoice } from "../../work/changing-agent.ts";
import { checkMode } from "../../work/check-mode.ts";

const names: Readonly<Record<Mode, string>> = {
  ask: "Ask",
  edits: "Edits",
  sandboxed: "Sandboxed",
  plan: "Plan",
  "read-only": "Read only",
  yes: "Yes",
  deny: "Deny",
};

/**
 * The modes of the app that can be used here: those that a key goes through in the chat, and that of the options. An editor cannot choose
 * `yes` or `deny` by itself.
 */
export async function sessionModes(changing: ChangingAgent<ChangingChoice>): Promise<AcpModes> {
  const { choice } = changing;
  const all = new Set<Mode>([...keyModes, modeOf(choice)]);
  const usable = await Promise.all([...all].map(async (mode) => ((await isUsable(mode, choice)) ? [mode] : [])));
  const available = usable.flat().map((id) => ({ id, name: names[id], description: modeMeanings[id] }));
  return {
    available,
    current: () => modeOf(changing.choice),
    async set(id) {
      const found = available.find((mode) => mode.id === id);
      if (found) return changing.setMode(found.id);
      const list = available.map((mode) => mode.id).join(", ");
      throw new UsageError(`There is no mode ${oneLine(id, 60)} here: ${list}.`);
    },
  };
}

async function isUsable(mode: Mode, choice: ChangingChoice): Promise<boolean> {
  try {
    await checkMode(withMode(choice, mode));
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}
