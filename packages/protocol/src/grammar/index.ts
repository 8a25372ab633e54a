export { blockSchema } from "./block-schema.ts";
export { structuralTag } from "./structural-tag.ts";
export { turnGrammar } from "./turn-grammar.ts";
export type { TurnLanguage } from "./turn-language.ts";
