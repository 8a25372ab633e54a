import { findSkills, type Skills } from "../../place/skills/find-skills.ts";
import { withSkillsOf } from "../extensions/extension-skills.ts";
import type { OpenPart } from "../open-part.ts";
import type { PartSources } from "../part-sources.ts";
import { tellOfTexts } from "../tell-of-texts.ts";

/** The skills of a run, and what an agent gets to use them. */
export interface OpenSkills extends Skills, OpenPart {}

/** Reads the skills that count here, also those of extensions. Stderr says which are left out, and why. */
export async function openSkills({ project, texts, options, extensions }: PartSources): Promise<OpenSkills> {
  if (options.tools?.includes("skill") === false) return { skills: [], problems: [], unseen: [], capabilities: [] };
  const found = withSkillsOf(await findSkills(project, texts), extensions.extensions);
  tellOfTexts("skill", found, project.top);
  if (found.skills.length === 0) return { ...found, capabilities: [] };
  const [{ skills }, { matchesSkill }] = await Promise.all([
    import("../../place/skills/skill-parts.ts"),
    import("./call-matcher.ts"),
  ]);
  return { ...found, capabilities: [skills(found.skills, { matches: matchesSkill })] };
}
