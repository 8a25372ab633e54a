import type { Tool } from "@cogency/tools";

/** The fields of a tool that a question shows. */
export type NamedTool = Pick<Tool, "name" | "definedBy"> & { readonly annotations?: Tool["annotations"] | undefined };

/**
 * What a person should know of a call of a server's tool, a sentence each; none for other tools.
 *
 * @param place `yours`, or the file of the project that names the server; undefined where that is not known
 */
export function serverSentences({ name, definedBy, annotations }: NamedTool, place?: string): string[] {
  if (definedBy === undefined) return [];
  const [, server = name, own = name] = /^(.*?)__(.*)$/s.exec(name) ?? [];
  const from =
    place === undefined ? "" : place === "yours" ? " (from your configuration)" : ` (from ${place} of the project)`;
  return [
    `The tool ${own} of the server ${server}${from}, ${definedBy}.`,
    ...(annotations?.destructiveHint === true ? ["The server says: destructive."] : []),
  ];
}
