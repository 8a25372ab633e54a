import { existsSync } from "node:fs";
import type { FoundProblem, FoundSkill } from "@cogency/skills/node";
import { isBelow } from "../../base/files/read-regular-file.ts";
import type { Project } from "../config/open-project.ts";
import { withinProject } from "../config/project.ts";
import { ProjectTexts } from "../project-texts.ts";
import { ownSkillFolder } from "./skill-folders.ts";

/** A skill, and where it is from. */
interface PlacedSkill extends FoundSkill {
  /** `yours`, or the path of its folder in the project. */
  readonly place: string;
}

export interface Skills {
  /** Sorted by name. */
  readonly skills: readonly PlacedSkill[];
  readonly problems: readonly FoundProblem[];
  /** The names of those that nobody has looked at since they were changed. */
  readonly unseen: readonly string[];
}

export interface SkillSources {
  /** The folder that the file tools reach. */
  readonly root: string;
  /** Whether a real path holds untrusted text. */
  readonly isMarked: (real: string) => boolean;
  /** Whether those of the project count, which a person may leave out. */
  readonly ofProject: boolean;
}

/**
 * Reads the skills that count in a folder: the person's own, which come first, then those of a project that is trusted. Nothing is
 * loaded if there is no folder with skills.
 *
 * What a skill of the project says is private. It is untrusted where its file is marked, and where nobody has looked at it since it was
 * changed, as with AGENTS.md.
 */
export async function findSkills(
  project: Pick<Project, "skillFolders" | "top" | "limits">,
  { root, isMarked, ofProject }: SkillSources,
): Promise<Skills> {
  const own = existsSync(ownSkillFolder()) ? [ownSkillFolder()] : [];
  const folders = ofProject ? project.skillFolders : [];
  if (own.length === 0 && folders.length === 0) return { skills: [], problems: [], unseen: [] };
  const { readSkills } = await import("@cogency/skills/node");
  const texts = new ProjectTexts(isMarked);
  const [mine, theirs] = await Promise.all([
    readSkills(own),
    // The nearest to the root comes first.
    readSkills(folders, {
      within: project.top,
      holds: (file) => texts.heldBy(file),
    }),
  ]);
  const names = new Map(mine.skills.map((skill) => [skill.name, skill]));
  const counting = theirs.skills.filter(({ name }) => !names.has(name));
  const taken = theirs.skills.filter(({ name }) => names.has(name));
  return {
    skills: [
      ...mine.skills.map((skill) => ({ ...skill, place: "yours" })),
      ...counting.map((skill) => ofTheProject(skill, project, root)),
    ].sort((a, b) => (a.name < b.name ? -1 : 1)),
    problems: [
      ...mine.problems,
      ...theirs.problems,
      ...taken.map(({ name, file }) => ({
        code: "name_taken" as const,
        file,
        line: 1,
        message: `The skill ${name} is left out: yours in ${names.get(name)?.folder} comes first.`,
      })),
    ],
    unseen: counting.filter(({ file }) => texts.unseen.has(file)).map(({ name }) => name),
  };
}

/** Its files are files of the project: the file tools read them where they reach, by the rules of the root, and nothing else does. */
function ofTheProject(skill: FoundSkill, project: Pick<Project, "top">, root: string): PlacedSkill {
  const { readFile: _, ...rest } = skill;
  const place = withinProject(project, skill.file).slice(0, -"/SKILL.md".length);
  return isBelow(root, skill.folder) ? { ...rest, place } : { ...rest, files: [], place };
}

/** What is wrong with the file of a skill, as a person finds the place. */
export function problemLine({ file, line, message }: FoundProblem): string {
  return `${file}:${line}: ${message}`;
}
