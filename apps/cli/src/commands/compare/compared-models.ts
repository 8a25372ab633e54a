import { presets } from "../../place/provider/presets.ts";
import { type ChosenModel, chooseModel, type ModelChoice } from "../../work/choose-model.ts";

/** A model that conversations run with again. */
export interface ComparedModel {
  /** As it was named. */
  readonly name: string;
  readonly chosen: ChosenModel;
}

/** @throws UsageError, for the first model that cannot be used */
export async function comparedModels(options: ModelChoice, names: readonly string[]): Promise<ComparedModel[]> {
  if (names.length === 0) {
    const chosen = await chooseModel(options);
    return [{ name: chosen.provider.model, chosen }];
  }
  const models: ComparedModel[] = [];
  for (const name of new Set(names))
    models.push({ name, chosen: await chooseModel({ ...options, ...modelNamed(name) }) });
  return models;
}

/** `anthropic:claude-haiku` names a provider, too. Models themselves may have colons: `qwen3:4b`. */
function modelNamed(name: string): Pick<ModelChoice, "provider" | "model"> {
  const [, provider = "", model = ""] = /^([^:]+):(.+)$/s.exec(name) ?? [];
  return withServers.includes(provider) ? { provider, model } : { model: name };
}

const withServers: readonly string[] = ["offline", "openai", "anthropic", "google", ...presets];
