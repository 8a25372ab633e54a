import { UsageError } from "../../base/errors/usage-error.ts";
import { presets } from "../../place/provider/presets.ts";
import { doubtOf } from "../../work/provider/served-model.ts";
import type { SlashCommand } from "./slash-command.ts";

const providers = ["offline", "openai", "anthropic", "google", ...presets];

/** The options that belong to the server of the provider before. */
const ofServer = { baseUrl: undefined, apiKeyEnv: undefined, api: undefined };

export const model: SlashCommand = {
  name: "model",
  argument: "[provider] [name]",
  help: "which model answers from now on; the conversation goes on",
  complete: () => providers,
  async run(conversation, argument) {
    const [first, second, ...more] = argument.split(/\s+/).filter(Boolean);
    if (more.length > 0) throw new UsageError("/model takes the name of a model, or a provider and a name.");
    if (first !== undefined && second !== undefined)
      await conversation.session.change({ ...ofServer, provider: first, model: second });
    else if (first !== undefined && providers.includes(first))
      await conversation.session.change({ ...ofServer, provider: first, model: undefined });
    else if (first !== undefined) await conversation.session.change({ model: first });
    const { provider, model: name, baseUrl } = conversation.session.choice;
    const canDoubt = first !== undefined && provider !== undefined && name !== undefined && baseUrl === undefined;
    const doubt = canDoubt ? await doubtOf(provider, name) : undefined;
    if (doubt !== undefined) conversation.view.remark(doubt);
    conversation.view.remark(`model ${await conversation.modelText()}`);
  },
};
