/** The first line that differs, as it was and as it is, and how many characters both texts begin with; undefined for equal texts. */
export function differentLine(before: string, now: string) {
  let at = 0;
  while (at < before.length && at < now.length && before[at] === now[at]) at++;
  if (at === before.length && at === now.length) return undefined;
  const from = now.slice(0, at).lastIndexOf("\n") + 1;
  const lineOf = (text: string) => text.slice(from).split("\n", 1)[0]?.slice(0, longestLine) ?? "";
  return { characters: at, before: lineOf(before), now: lineOf(now) };
}

const longestLine = 400;
