import type { Config, Values } from "./config.ts";

/** The configuration without the models that it names, also in its profiles. */
export function withoutModels(config: Config): Config {
  const profiles = Object.entries(config.profiles).map(([name, own]) => [name, withoutModel(own)] as const);
  return { ...config, values: withoutModel(config.values), profiles: Object.fromEntries(profiles) };
}

function withoutModel({ model: _, ...values }: Values): Values {
  return values;
}
