import type { Tool } from "@cogency/tools";

/** What a person should know of a call of a server's tool, a sentence each; none for other tools. */
export function serverSentences({
  name,
  definedBy,
  annotations,
}: Pick<Tool, "name" | "definedBy" | "annotations">): string[] {
  if (definedBy === undefined) return [];
  const [, server = name, own = name] = /^(.*?)__(.*)$/s.exec(name) ?? [];
  return [
    `The tool ${own} of the server ${server}, ${definedBy}.`,
    ...(annotations.destructiveHint === true ? ["The server says: destructive."] : []),
  ];
}
