import type { Capability } from "@cogency/agent";
import type { Tool } from "@cogency/tools";
import { noteOnce } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { Project } from "../../place/config/open-project.ts";
import { findSkills, type Skills } from "../../place/skills/find-skills.ts";
import { problemLine, type TextSources } from "../../place/texts/find-texts.ts";
import { withSkillsOf } from "../extensions/extension-skills.ts";
import type { OpenExtensions } from "../extensions/open-extensions.ts";

/** The skills of a run, and what an agent gets to use them. */
export interface OpenSkills extends Skills {
  /** Undefined if there are none: nothing was loaded. */
  readonly capability: Capability<Tool<"skill">> | undefined;
}

/** Reads the skills that count here, also those of extensions. Stderr says which are left out, and why. */
export async function openSkills(
  project: Project,
  sources: TextSources,
  { extensions }: Pick<OpenExtensions, "extensions">,
): Promise<OpenSkills> {
  const found = withSkillsOf(await findSkills(project, sources), extensions);
  for (const problem of found.problems) noteOnce(oneLine(`Skill left out: ${problemLine(problem)}`, 600));
  if (found.unseen.length > 0) noteOnce(unseenText(found.unseen, project.top));
  if (found.skills.length === 0) return { ...found, capability: undefined };
  const [{ skills }, { matchesSkill }] = await Promise.all([
    import("../../place/skills/skill-parts.ts"),
    import("./call-matcher.ts"),
  ]);
  return { ...found, capability: skills(found.skills, { matches: matchesSkill }) };
}

function unseenText(names: readonly string[], top: string): string {
  const shown = [...names.slice(0, 5), ...(names.length > 5 ? [`${names.length - 5} more`] : [])].join(", ");
  return `You have not looked at these skills of the project since they were changed, so what they say counts as untrusted: ${shown}. To read them and take them as yours: cogency trust ${oneLine(top, 200)}`;
}
