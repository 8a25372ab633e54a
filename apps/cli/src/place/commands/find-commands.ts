import type { FoundCommand, TextProblem } from "@cogency/skills/node";
import { findTexts, type Placed, type TextProject, type TextSources } from "../texts/find-texts.ts";

export interface Commands {
  /** Sorted by name. */
  readonly commands: readonly Placed<FoundCommand>[];
  readonly problems: readonly TextProblem[];
  /** The names of those that nobody has looked at since they were changed. */
  readonly unseen: readonly string[];
}

/**
 * Reads the commands that count in a folder; see `findTexts`.
 *
 * @param reserved names that none may have
 */
export async function findCommands(
  project: TextProject,
  sources: Pick<TextSources, "isMarked" | "ofProject">,
  reserved: readonly string[],
): Promise<Commands> {
  const { items, ...rest } = await findTexts<FoundCommand>(
    {
      kind: "commands",
      one: "command",
      async read(folders, options) {
        const { readCommands } = await import("@cogency/skills/node");
        const { commands, problems } = await readCommands(folders, { ...options, reserved });
        return { items: commands, problems };
      },
      placeOf: (file) => file,
    },
    project,
    sources,
  );
  return { ...rest, commands: items };
}
