export type { TurnLanguage } from "./turn-language.ts";
