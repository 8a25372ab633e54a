/** `1 step`, `12,345 tokens` */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** `12,345` */
export function grouped(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** `4 ms`, `1.24 s`, `2 min 3 s`, `1 h 5 min` */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return "–";
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(seconds < 9.995 ? 2 : 1)} s`;
  const minutes = Math.round(seconds / 60);
  if (seconds < 3570) return `${Math.floor(Math.round(seconds) / 60)} min ${Math.round(seconds) % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** In the currency of the prices, which has no name here. */
export function cost(amount: number): string {
  if (amount === 0) return "0";
  return amount.toFixed(Math.min(9, Math.max(2, 1 - Math.floor(Math.log10(Math.abs(amount))))));
}

/** `812 B`, `4.1 kB`, `5.2 MB` of text, by its characters. */
export function size(characters: number): string {
  if (characters < 1000) return `${characters} characters`;
  if (characters < 999_500) return `${(characters / 1000).toFixed(characters < 10_000 ? 1 : 0)} k characters`;
  return `${(characters / 1e6).toFixed(1)} M characters`;
}

/** `40 %`; `–` of nothing. */
export function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((100 * part) / whole)} %` : "–";
}

/** On one line, cut to so many characters, never inside of one. */
export function excerpt(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : line;
}
