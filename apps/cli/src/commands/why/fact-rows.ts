import { wordWrapped } from "../../base/terminal/text.ts";

/** Rows of a name and texts beside it, wrapped at the width. The texts must be safe for a terminal. */
export function factRows(
  width: number,
  facts: readonly (readonly [name: string, texts: readonly string[]])[],
): string[] {
  const room = Math.max(20, width - indent);
  return facts.flatMap(([name, texts]) =>
    texts
      .flatMap((text) => wordWrapped(text, room))
      .map((text, i) => `${(i === 0 ? name : "").padEnd(indent)}${text}`.trimEnd()),
  );
}

const indent = 12;
