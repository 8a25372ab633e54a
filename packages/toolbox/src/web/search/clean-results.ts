import type { SearchResult } from "./search-backend.ts";

/** Returns results as short plain text. Results that are not http or https addresses are left out. */
export function cleanResults(results: readonly SearchResult[]): SearchResult[] {
  return results
    .filter(({ url }) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
    .map(({ title, url, snippet }) => ({ title: plain(title, 200), url, snippet: plain(snippet, 500) }));
}

/** Services mark the words of the query with tags, and leave entities in quoted text. */
function plain(text: string, most: number): string {
  const words = text
    .slice(0, 10 * most)
    .replace(/<\/?(?:strong|b|em|i|mark)>/gi, "")
    .replace(
      /&(amp|lt|gt|quot|apos|nbsp|#39|#x27);/gi,
      (entity, name: string) => entities.get(name.toLowerCase()) ?? entity,
    )
    .replace(/\s+/g, " ")
    .trim()
    .toWellFormed();
  return words.length > most ? `${words.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…` : words;
}

const entities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["#39", "'"],
  ["#x27", "'"],
]);
