import type { Tool as Definition } from "@modelcontextprotocol/client";

const texts = new WeakMap<Definition, string>();

/** Whether two definitions mean the same tool, called in the same way. Pictures and metadata, which may be new in each list, do not count. */
export function isSameDefinition(one: Definition, other: Definition): boolean {
  return one === other || textOf(one) === textOf(other);
}

function textOf(definition: Definition): string {
  const known = texts.get(definition);
  if (known !== undefined) return known;
  const { _meta, icons, ...rest } = definition;
  const text = JSON.stringify(rest);
  texts.set(definition, text);
  return text;
}
