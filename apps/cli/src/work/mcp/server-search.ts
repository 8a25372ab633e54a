import { type ToolSearch, toolSearch } from "@cogency/agent/tool-search";

/** In all. Above it, models choose worse, and each request pays for all definitions. */
const usualFindAbove = 40;

/** Where there are many tools, the model finds those of servers by words. The others it is always offered. */
export function serverSearch(above = usualFindAbove): ToolSearch {
  return {
    over(tools, opening) {
      const keep = tools.filter(({ definedBy }) => definedBy === undefined).map(({ name }) => name);
      return toolSearch({ above, keep }).over(tools, opening);
    },
  };
}
