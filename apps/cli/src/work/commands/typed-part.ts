import { commandLine, type OpenCommands } from "./open-commands.ts";

/** Beginnings of a prompt that may be the line of a command. */
const mostBeginnings = 8;

/**
 * The line of a command that a prompt begins with, where its text is still what the command stands for; else the prompt. Sent again as it
 * is, the text would be taken for arguments.
 */
export async function typedLine(prompt: string, { expand }: Pick<OpenCommands, "expand">): Promise<string> {
  if (commandLine(prompt) === undefined) return prompt;
  for (const { index } of [...prompt.matchAll(/\n\n/g)].slice(0, mostBeginnings)) {
    const line = prompt.slice(0, index);
    const command = await expand(line);
    if (command?.text.trimEnd() === prompt.trimEnd()) return line;
  }
  return prompt;
}

/** A prompt in a list: of the prompt of a command, its line. */
export function shownPrompt(content: string): string {
  const typed = typedPart(content);
  const [first = ""] = typed.split("\n\n", 1);
  return commandLine(first) === undefined ? typed : first;
}

/**
 * What a person typed of a prompt. What the app has added is left out: the texts of files, which are read again, and what commands printed,
 * for which nobody vouches.
 */
export function typedPart(content: string): string {
  const added = /\n\n(?:I ran `[^\n]*` \([^\n]*\)[:.]|<file_* path=")/.exec(content);
  return added === null ? content : content.slice(0, added.index);
}
