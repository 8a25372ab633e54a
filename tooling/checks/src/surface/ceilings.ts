/** The most names that a main entry may export. A ceiling may only be lowered. */
export const mostNames: Readonly<Record<string, number>> = {
  "packages/protocol": 60,
  "packages/tools": 50,
  "packages/storage": 42,
  "packages/agent": 48,
  "packages/toolbox": 19,
};

/** The most names of a main entry that neither the README nor `docs/` holds, where it is not 0. A ceiling may only be lowered. */
export const mostUndocumented: Readonly<Record<string, number>> = {
  "packages/dispatch-graphile": 3,
  "packages/dispatch-pg-boss": 4,
  "packages/dispatch-redis": 4,
  "packages/otel": 4,
  "packages/page": 13,
  "packages/provider": 18,
  "packages/provider-anthropic": 1,
  "packages/provider-google": 2,
  "packages/provider-offline": 1,
  "packages/provider-openai": 3,
  "packages/server": 4,
  "packages/worker": 11,
};

/** Names that two packages export with different declarations. The list may only shrink. */
export const ambiguous: readonly string[] = ["duration"];
