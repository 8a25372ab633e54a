import type { Skills } from "../../place/skills/find-skills.ts";
import type { PlacedExtension } from "./open-extensions.ts";

/** The skills of files, and those of extensions that have another name. */
export function withSkillsOf(found: Skills, extensions: readonly PlacedExtension[]): Skills {
  const names = new Map(found.skills.map(({ name, file }) => [name, file]));
  const skills = [...found.skills];
  const problems = [...found.problems];
  for (const { name: place, skills: own } of extensions) {
    for (const skill of own) {
      const first = names.get(skill.name);
      if (first !== undefined) {
        const message = `The skill ${skill.name} is left out: that in ${first} comes first.`;
        problems.push({ code: "name_taken", file: place, line: 1, message });
        continue;
      }
      names.set(skill.name, place);
      // It has a folder only if there are files beside it.
      skills.push({ ...skill, place, file: place } as Skills["skills"][number]);
    }
  }
  return { ...found, skills: skills.sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}
