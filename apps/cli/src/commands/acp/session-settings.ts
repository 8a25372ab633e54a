import type { AcpSetting, AcpSettings } from "@cogency/acp";
import { thinkingLevels } from "@cogency/provider";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { knownModels } from "../../place/known-models.ts";
import type { ChangingAgent, ChangingChoice } from "../../work/changing-agent.ts";
import type { ChosenModel } from "../../work/choose-model.ts";

/** Models that an editor is offered; a list of more cannot be read in a menu. */
const mostModels = 200;

const drivers = [
  { value: "protocol", name: "Protocol", description: "calls are text" },
  { value: "native", name: "Native", description: "the provider's own calls" },
  { value: "react", name: "ReAct", description: "one JSON decision a step" },
  { value: "auto", name: "Auto", description: "native where the provider has calls of its own" },
] as const;

/** The word for what the model does by itself. */
const own = "default";

/**
 * What an editor may choose beside the mode: the model, the driver and the level of thinking. The models are those that are known without
 * asking a server: the current one, and those that `cogency models` has listed of the same server.
 *
 * @param model the one that answers now
 */
export async function sessionSettings(
  changing: ChangingAgent<ChangingChoice>,
  model: () => ChosenModel,
): Promise<AcpSettings> {
  const known = changing.choice.baseUrl === undefined ? await knownModels() : {};
  const list = (): AcpSetting[] => {
    const { provider } = model();
    const { choice } = changing;
    const models = [...new Set([provider.model, ...(known[choice.provider ?? provider.name] ?? [])])];
    const settings: AcpSetting[] = [
      {
        id: "model",
        name: "Model",
        category: "model",
        current: provider.model,
        choices: models.slice(0, mostModels).map((value) => ({ value, name: oneLine(value, 80) })),
      },
      { id: "driver", name: "Driver", category: "model_config", current: choice.driver, choices: drivers },
    ];
    if (!provider.capabilities.thinking) return settings;
    const levels = [own, ...thinkingLevels].map((value) => ({ value, name: value }));
    return [
      ...settings,
      { id: "thinking", name: "Thinking", category: "thought_level", current: choice.think ?? own, choices: levels },
    ];
  };
  return {
    list,
    async set(id, value) {
      const setting = list().find((one) => one.id === id);
      if (setting === undefined) throw new UsageError(`There is no setting ${oneLine(id, 60)} here.`);
      if (!setting.choices.some((choice) => choice.value === value))
        throw new UsageError(`The setting ${setting.name} has no value ${oneLine(value, 60)}.`);
      if (value === setting.current) return;
      if (id === "model") await changeModel(value);
      else if (id === "driver") await changing.change({ driver: driverOf(value) });
      else changing.setThinking(thinkingLevels.find((level) => level === value));
    },
  };

  async function changeModel(value: string): Promise<void> {
    // A name alone may belong to another server than the one that answers.
    await changing.change({ model: value, provider: changing.choice.provider ?? model().provider.name });
  }
}

function driverOf(value: string): (typeof drivers)[number]["value"] | undefined {
  return drivers.find((driver) => driver.value === value)?.value;
}
