import type { Match } from "@cogency/storage";
import { rankMatches, type SearchOptions, searchWords, wholeCount } from "@cogency/storage/adapter";
import { nameText, userText } from "../rows/names.ts";
import type { SearchIndex } from "./search-index.ts";

export type Search = (text: string, options: SearchOptions) => Promise<Match[]>;

export function prepareSearch(index: SearchIndex): Search {
  return async (text, { user, exclude, limit = 20 }) => {
    const most = wholeCount("limit", limit);
    const words = searchWords(text);
    if (words.length === 0) return [];
    const excluded = exclude === undefined ? null : nameText(exclude);
    return rankMatches(words, await index.candidates(words, userText(user), excluded), most);
  };
}
