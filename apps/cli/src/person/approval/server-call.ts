import type { Tool } from "@cogency/tools";
import { ofEditor } from "../../place/mcp/servers-of-editor.ts";

/** The fields of a tool that a question shows. */
export type NamedTool = Pick<Tool, "name" | "definedBy"> & { readonly annotations?: Tool["annotations"] | undefined };

/**
 * What a person should know of a call of a server's tool, a sentence each; none for other tools.
 *
 * @param place `yours`, that of an editor, or the file of the project that names the server; undefined where that is not known
 */
export function serverSentences({ name, definedBy, annotations }: NamedTool, place?: string): string[] {
  if (definedBy === undefined) return [];
  const [, server = name, own = name] = /^(.*?)__(.*)$/s.exec(name) ?? [];
  const from = place === undefined ? "" : ` (from ${owners.get(place) ?? `${place} of the project`})`;
  return [
    `The tool ${own} of the server ${server}${from}, ${definedBy}.`,
    ...(annotations?.destructiveHint === true ? ["The server says: destructive."] : []),
  ];
}

/** The places that are no files of a project. */
const owners: ReadonlyMap<string, string> = new Map([
  ["yours", "your configuration"],
  [ofEditor, ofEditor],
]);
