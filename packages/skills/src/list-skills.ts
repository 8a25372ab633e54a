import type { Skill } from "./skill.ts";

/**
 * The lines that the prompt has of skills: `- name: description`. The same skills always give the same text, because providers cache
 * equal beginnings. Where it would be longer than `most` bytes, descriptions are cut, then left out, then skills are.
 */
export function listSkills(skills: readonly Skill[], most: number): string {
  const head =
    "Skills are instructions for certain kinds of work. Before such work, read the one that fits with the tool skill.";
  const room = most - bytes(head) - 1;
  for (const longest of [1024, 200, 80, 0]) {
    const lines = skills.map((skill) => lineOf(skill, longest));
    if (bytes(lines.join("\n")) <= room) return [head, ...lines].join("\n");
  }
  const lines: string[] = [];
  let used = 60;
  for (const skill of skills) {
    const line = lineOf(skill, 0);
    used += bytes(line) + 1;
    if (used > room) break;
    lines.push(line);
  }
  return [head, ...lines, `- and ${skills.length - lines.length} more, which a person can name`].join("\n");
}

function lineOf({ name, description }: Skill, longest: number): string {
  if (longest === 0) return `- ${name}`;
  const line = needsCare.test(description) ? description.replace(/[\s\p{C}]+/gu, " ") : description;
  return `- ${name}: ${line.length > longest ? `${line.slice(0, longest).toWellFormed().trimEnd()}…` : line}`;
}

/** What may have to be replaced. V8 takes long to compile an expression with \p, so it is for such texts alone. */
const needsCare = /[^\x20-\x7e]| {2}/;

const encoder = new TextEncoder();

function bytes(text: string): number {
  return encoder.encode(text).length;
}
