export { turnGrammar } from "./turn-grammar.ts";
export type { TurnLanguage } from "./turn-language.ts";
