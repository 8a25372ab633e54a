import type { Capability } from "@cogency/agent";
import type { AgentHook } from "@cogency/agent/hooks";
import { anything, callback, checkOption, checkOptions, listOf, required, whole } from "@cogency/protocol/options";
import { type Content, defineTool, type Tool } from "@cogency/tools";
import { activeSkills } from "./active-skills.ts";
import { type CallMatcher, isNamed, toolPatterns } from "./allowed-tools.ts";
import { SkillError } from "./errors.ts";
import { fillArguments } from "./fill-arguments.ts";
import { listSkills } from "./list-skills.ts";
import type { Skill } from "./skill.ts";

export interface SkillsOptions {
  /** The most bytes of the prompt that the list of skills takes. Defaults to 8,000. */
  maxListBytes?: number | undefined;
  /**
   * Whether a call is among those that an entry of `allowed-tools` names in parentheses: for `Bash(git:*)`, a call of `shell` and
   * `git:*`. Without it, a skill with such an entry can call that tool not at all.
   */
  matches?: CallMatcher | undefined;
}

/**
 * Skills as a capability of an agent: `createAgent(…).use(skills(list))`. The prompt has one line of each, and the model reads the rest
 * with the tool `skill`. From the next step until the person's next message, a skill with `allowedTools` narrows what runs; of several
 * such skills each must allow a call. A skill never widens what runs without a question.
 *
 * @param list of skills with one name the first counts
 */
export function skills(list: readonly Skill[], options: SkillsOptions = {}): Capability<Tool<"skill">> {
  checkOption("skills", "list", list, required(listOf(anything, "an array of skills")));
  checkOptions<SkillsOptions>("skills", options, { maxListBytes: whole(200), matches: callback });
  const { maxListBytes = 8000, matches } = options;
  const known = new Map<string, Skill>();
  for (const skill of list) if (!known.has(skill.name)) known.set(skill.name, skill);
  const all = [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (all.length === 0) return { name: "skills" };
  return {
    name: "skills",
    tools: [skillTool(known)],
    hooks: [narrowing(known, matches)],
    instructions: listSkills(all, maxListBytes),
    instructionsHold: heldBy(all),
  };
}

/** The prompt has the descriptions of all, so a conversation holds what they bring before it reads one. */
function heldBy(skills: readonly Skill[]): readonly Content[] {
  return (["untrusted", "private"] as const).flatMap((holds) => {
    const names = skills.filter((skill) => skill.holds?.some((content) => content.holds === holds));
    if (names.length === 0) return [];
    const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
    return {
      holds,
      source: `skills ${names
        .slice(0, 5)
        .map(({ name }) => name)
        .join(", ")}${more}`,
    };
  });
}

/** Tools that a skill never takes away: they read what the conversation has, or say what the model is about to do. */
const always = ["skill", "read_result", "plan", "present_plan"];

/**
 * Blocks what an active skill does not name. The model is offered all tools as before, because a prompt that changed would be read anew
 * by the provider, with the whole conversation behind it.
 */
function narrowing(known: ReadonlyMap<string, Skill>, matches: CallMatcher | undefined): AgentHook {
  return {
    name: "skills",
    beforeToolUse({ call, state }) {
      if (always.includes(call.name)) return undefined;
      for (const name of activeSkills(state.events)) {
        const allowed = known.get(name)?.allowedTools;
        if (allowed === undefined || isNamed(call, allowed.flatMap(toolPatterns), matches)) continue;
        return {
          block: `The skill ${name}, which is active until the user's next message, allows only: ${allowed.join(", ")}.`,
        };
      }
      return undefined;
    },
  };
}

function skillTool(known: ReadonlyMap<string, Skill>): Tool<"skill"> {
  return defineTool({
    name: "skill",
    description:
      "Read a skill: instructions for a kind of work. The list of skills says which there are. With file: a file beside it.",
    input: {
      type: "object",
      properties: {
        name: { type: "string", description: "as the list of skills names it" },
        arguments: { type: "string", description: "what the user said that it is about; leave out if nothing" },
        file: { type: "string", description: "one of the files that the skill has beside it; leave out for its text" },
      },
      required: ["name"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    brings: ({ name }) => known.get(String(name))?.holds ?? [],
    async execute({ name, arguments: given = "", file }) {
      const skill = known.get(String(name));
      if (skill === undefined) throw unknown(String(name), [...known.keys()]);
      if (file !== undefined) return { skill: skill.name, file, text: await fileOf(skill, String(file)) };
      const { folder, files, allowedTools } = skill;
      return {
        skill: skill.name,
        instructions: fillArguments(skill.text, String(given)),
        ...(allowedTools !== undefined && { allowsOnly: allowedTools }),
        ...(folder !== undefined && { folder }),
        ...(files !== undefined && files.length > 0 && { files }),
      };
    },
  });
}

function fileOf(skill: Skill, file: string): Promise<string> {
  if (skill.readFile) return skill.readFile(file);
  const where =
    skill.folder === undefined ? "has no files" : `lies in ${skill.folder}: read its files with other tools`;
  throw new SkillError("file_unreadable", `The skill ${skill.name} ${where}.`);
}

function unknown(name: string, names: readonly string[]): SkillError {
  const listed = names.slice(0, 50).join(", ");
  return new SkillError(
    "skill_unknown",
    `There is no skill ${JSON.stringify(name.slice(0, 80))}. There are: ${listed}.`,
  );
}
