import { type AttachedFile, mentionedFiles } from "../prompt/attached-files.ts";
import type { CommandPrompt } from "./command-prompt.ts";

/**
 * The files that a line and the text of its command mention. What the person typed may be anywhere; what the text of a project names
 * must be in the folder that the tools reach.
 *
 * @throws UsageError for a file that is missing, or that cannot be attached
 */
export async function commandFiles(
  typed: string,
  command: CommandPrompt,
  root: string,
  servers?: ReadonlySet<string>,
): Promise<AttachedFile[]> {
  const names = servers && { servers };
  if (command.attached) return [...(await mentionedFiles(typed, root, names)), ...command.attached];
  if (command.limits === undefined) return mentionedFiles(command.text, root, names);
  const own = await mentionedFiles(typed, root, names);
  const except = new Set(own.map(({ asked }) => asked));
  return [...own, ...(await mentionedFiles(command.text, root, { ...command.limits, except, ...names }))];
}

/** What a conversation holds of a kind that begins with such a prompt; undefined for nothing. */
export function heldIn(
  { holds }: CommandPrompt,
  kind: "untrusted" | "private",
  before: string | undefined,
): string | undefined {
  const sources = holds.filter((content) => content.holds === kind).map(({ source }) => source);
  const all = [...(before === undefined ? [] : [before]), ...sources];
  return all.length === 0 ? undefined : all.join(", ");
}
