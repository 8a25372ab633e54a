/** A named part of a system prompt: its text, or how it begins. It reaches to the next known part. */
export interface SystemSection {
  readonly name: string;
  readonly text: string;
}

/** One part of a system prompt. The texts of all parts, one after another, are the prompt. */
export interface SystemPart {
  readonly name: string;
  readonly text: string;
}

/**
 * Cuts a system prompt into its parts. What stands before the first known part is called `identity`, and what stands behind the list of
 * tools or of skills `instructions`.
 *
 * @param sections parts that the caller knows by their texts, beside those that this house writes: `protocol`, `tools` and `skills`
 */
export function systemParts(system: string, sections: readonly SystemSection[] = []): SystemPart[] {
  const marks: Mark[] = [
    ...house.flatMap(({ name, pattern }) => {
      const found = pattern.exec(system);
      return found ? [{ name, at: found.index, end: found.index + found[0].length }] : [];
    }),
    ...sections.flatMap(({ name, text }) => {
      const at = text === "" ? -1 : system.indexOf(text);
      return at === -1 ? [] : [{ name, at, end: undefined }];
    }),
  ].sort((one, other) => one.at - other.at);
  const parts: SystemPart[] = [];
  let from = 0;
  let name = "identity";
  const add = (end: number, next: string) => {
    const text = system.slice(from, end);
    const last = parts.at(-1);
    if (text.trim() === "" && last) parts[parts.length - 1] = { name: last.name, text: last.text + text };
    else if (text !== "") parts.push({ name, text });
    from = Math.max(from, end);
    name = next;
  };
  for (const mark of marks) {
    if (mark.at < from) continue;
    add(mark.at, mark.name);
    if (mark.end !== undefined) add(mark.end, "instructions");
  }
  add(system.length, "");
  return parts;
}

interface Mark {
  readonly name: string;
  readonly at: number;
  /** Where it ends; undefined for one that reaches to the next. */
  readonly end: number | undefined;
}

/** As `protocolPrompt` and `@cogency/skills` write them. */
const house: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: "protocol", pattern: /^## Protocol\n\nText outside the markers[\s\S]*?\n\n(?=## Tools\n)/m },
  { name: "tools", pattern: /^## Tools\n\n(?:None\.|(?:- .*\n {2}parameters: .*(?:\n(?=- )|$))+)/m },
  { name: "skills", pattern: /^Skills are instructions for certain kinds of work\. .*(?:\n- .*)*/m },
];
