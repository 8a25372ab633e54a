import { checkOption, required, text as textOption } from "@cogency/protocol/options";
import { textField, textsField, toolsField } from "./front-matter/fields.ts";
import { type FrontMatterField, parseFrontMatter, shownText } from "./front-matter/parse-front-matter.ts";
import type { Skill, SkillProblem } from "./skill.ts";

/** A skill, or why the text is none: exactly one of the two has something. */
export interface ParsedSkill {
  readonly skill?: Skill;
  readonly problems: readonly SkillProblem[];
}

interface Values {
  name: string;
  description: string;
  license: string;
  compatibility: string;
  metadata: Readonly<Record<string, string>>;
  "allowed-tools": readonly string[];
}

/**
 * Reads the text of a `SKILL.md`, by the rules of https://agentskills.io/specification. Reports every fault of it, each with its line.
 *
 * @param folder the name of the folder that holds the file, which the skill must have as its name; any name if absent
 */
export function parseSkill(text: string, folder?: string): ParsedSkill {
  checkOption("parseSkill", "text", text, required(textOption));
  checkOption("parseSkill", "folder", folder, textOption);
  const fields = {
    name: nameField(folder),
    description: textField({ most: 1024, isRequired: true }),
    license: textField({ most: 1024 }),
    compatibility: textField({ most: 500 }),
    metadata: textsField,
    "allowed-tools": toolsField,
  };
  const unknown = (field: string) =>
    `"${shownText(field)}" is no field of a skill. Put it below metadata, or leave it out; there are ${Object.keys(fields).join(", ")}.`;
  const { values, text: body, problems } = parseFrontMatter<Values>(text, { kind: "skill", fields, unknown });
  if (problems.length > 0) return { problems };
  const { name = "", description = "", "allowed-tools": allowedTools, ...rest } = values;
  return { skill: { name, description, text: body, ...rest, ...(allowedTools && { allowedTools }) }, problems };
}

function nameField(folder: string | undefined): FrontMatterField<string> {
  const text = textField({ most: 64, isRequired: true });
  return {
    isRequired: true,
    read(value, field) {
      const read = text.read(value, field);
      if ("wrong" in read) return read;
      const wrong = wrongName(read.value, folder);
      return wrong === undefined ? read : { wrong: `name: ${wrong}` };
    },
  };
}

function wrongName(name: string, folder: string | undefined): string | undefined {
  if (name !== name.toLowerCase()) return `"${name}" must be in lower case: "${name.toLowerCase()}".`;
  if (!/^[\p{L}\p{M}\p{N}-]+$/u.test(name)) return `"${shownText(name)}" may hold letters, digits and "-" alone.`;
  if (/^-|-$|--/.test(name)) return `"${name}" may hold a "-" between two words alone.`;
  if (folder !== undefined && name.normalize("NFC") !== folder.normalize("NFC"))
    return `"${name}" must be the name of its folder, "${shownText(folder)}". Change one of the two.`;
  return undefined;
}
