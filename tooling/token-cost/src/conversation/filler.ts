const words =
  "the file reads a table of prices and writes one line for each order that changed since the last run so".split(" ");

/** Sentences of exactly so many characters, which no other `name` begins with. */
export function filler(name: string, characters: number): string {
  let text = `${name}:`;
  for (let index = name.length; text.length < characters; index += 7) text += ` ${words[index % words.length]}${index}`;
  return text
    .slice(0, characters - 1)
    .replace(/ $/, "x")
    .concat(".");
}
