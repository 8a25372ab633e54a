import type { ToolSpec } from "../tool.ts";
import type { TurnLanguage } from "./turn-language.ts";

/** Makes what belongs to a language once for each array of tools. The tools of an agent are the same array in every step. */
export function remembered<T>(make: (language: TurnLanguage) => T): (language: TurnLanguage) => T {
  const known = new WeakMap<readonly ToolSpec[], Map<string, T>>();
  return (language) => {
    const { tools, dialect = "json", startIn = "text", hasOthers = false } = language;
    const ofTools = known.get(tools) ?? new Map<string, T>();
    known.set(tools, ofTools);
    const key = `${dialect} ${startIn} ${hasOthers}`;
    if (!ofTools.has(key)) ofTools.set(key, make(language));
    return ofTools.get(key) as T;
  };
}
