import type { Command } from "@cogency/skills/commands";

/** `/init` and `/review`. A command of a person or a project cannot take their names. */
export const builtInCommands: readonly Command[] = [
  {
    name: "init",
    description: "write an AGENTS.md from what is in the project, or improve the one that there is",
    argumentHint: "[what matters]",
    text: `Write the file AGENTS.md in the root folder. It tells an agent that has never seen this project what it cannot guess.

1. Look first: list the folder; read the README, the manifests (such as package.json, pyproject.toml, Cargo.toml, go.mod, Makefile), the settings of CI, linters and formatters, instructions for other agents (such as CLAUDE.md, .cursor/rules, .github/copilot-instructions.md), and a few files of the source that show how code is written here.
2. Write at most 60 lines of Markdown, in this order:
   - what the project is, in two sentences, and which folder holds what;
   - the commands that build it, check it and test it, and how a single test is run. Name only commands that you have found in a file;
   - the conventions that the code keeps and that a newcomer would break;
   - what is easily done wrong here, if you have found something.
3. State facts of this project. Leave out what is true of every project, and what you could not find. Put no secrets and no machine's paths in.
4. If AGENTS.md exists, read it, keep what is right and what a person has plainly decided, mend what is wrong, and add what is missing, by edits and not by a new file.

Then say in three lines what you wrote, and what you could not find out.

What matters to the user: $ARGUMENTS`,
  },
  {
    name: "review",
    description: "review the uncommitted changes, or what a branch changes; nothing is changed",
    argumentHint: "[branch]",
    isReadOnly: true,
    allowedTools: [
      ...["status", "status --short", "diff", "diff HEAD", "diff --staged", "diff --cached", "diff --stat"],
      ...["diff --stat HEAD", "log --oneline -20", "branch --show-current"],
    ].map((line) => `Bash(git ${line})`),
    text: `Review a change, and change nothing: tools that write do not run now.

What to review: $ARGUMENTS
If nothing is named there, review the uncommitted changes: \`git status --short\` and \`git diff HEAD\`; files that git does not know yet belong to them. If a branch or a commit is named, review what it changes: \`git diff --stat NAME...HEAD\` and \`git diff NAME...HEAD\` with its name. Run these commands exactly so, one in each call: others do not run.

1. Read each changed file whole, and what calls the changed code, before you judge it.
2. Look for: wrong results, errors that are not handled, races, lost data, holes in security, broken callers, missing tests, and names or comments that say something else than the code.
3. Check each finding against the code once more, and drop what you cannot show.

Answer with the findings, the worst first: file and line, what is wrong, when it happens, and how to mend it. Say plainly if there are none. Do not praise, and do not list matters of taste.`,
  },
];

/** The calls that a built-in command lets be asked about for what the person named. */
export function callsFor({ name }: Pick<Command, "name">, given: string): readonly string[] {
  if (name !== "review" || !/^[\w][\w./-]{0,200}$/.test(given) || given.includes("..")) return [];
  return [`diff ${given}...HEAD`, `diff --stat ${given}...HEAD`, `log --oneline ${given}..HEAD`].map(
    (line) => `Bash(git ${line})`,
  );
}
