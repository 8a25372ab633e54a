/**
 * 200 conversations of one person, the same for each seed. In some of them the person says one of 25 facts, in later ones the agent needs
 * it: `need` is words of the fact that the prompt must hold. A task names its subject in other words than the fact, as people do.
 */
export interface Told {
  readonly messages: readonly string[];
  readonly need?: string;
}

const facts: readonly (readonly [fact: string, need: string, task: string])[] = [
  ["I write commit messages in German.", "in German", "Commit what we have."],
  ["I never want a force push.", "force push", "The branch has diverged, get it upstream."],
  ["I use pnpm, not npm.", "pnpm", "Add zod as a dependency."],
  ["I indent with tabs.", "tabs", "Write me a small parser."],
  ["I live in Graz.", "Graz", "When does the sun set today?"],
  ["I am colour blind, so no red and green.", "colour blind", "Draw a chart of the results."],
  ["I deploy on Fridays only.", "Fridays", "Ship it."],
  ["I am allergic to semicolons.", "semicolons", "Tidy this script."],
  ["I review on my phone, so keep diffs short.", "diffs short", "Rewrite the module."],
  ["I want tests first.", "tests first", "Build the importer."],
  ["I hate abbreviations in names.", "abbreviations", "Add a helper."],
  ["I work for a hospital.", "hospital", "Is this log line fine?"],
  ["I maintain the library alone.", "alone", "Plan the release."],
  ["I pay for the API myself.", "myself", "Which model should we take?"],
  ["I use PostgreSQL 14.", "PostgreSQL 14", "Write the migration."],
  ["I prefer errors as values.", "errors as values", "Handle the failure."],
  ["I read no tables in chat.", "no tables", "Compare the three options."],
  ["I am in UTC+2.", "UTC+2", "Schedule the job for the morning."],
  ["I ask before anything costs money.", "costs money", "Rent a bigger machine."],
  ["I keep secrets in pass.", "in pass", "Where does the token go?"],
  ["I speak French with customers.", "French", "Answer this mail."],
  ["I support Node 22 and later.", "Node 22", "May we use this API?"],
  ["I log in JSON lines.", "JSON lines", "Add some output here."],
  ["I dislike mocks.", "mocks", "Cover this with a test."],
  ["I sign off as Ada.", "Ada", "Write the letter."],
];

const chatter = [
  "Please look at the build.",
  "What does this function do?",
  "Rename the variable.",
  "Why is it slow?",
  "Thanks, that works.",
  "Try again with the other file.",
  "Show me the failing line.",
  "Explain the regular expression.",
];

export function twoHundred(seed: number): readonly Told[] {
  let state = seed;
  const below = (most: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const small = () => chatter[below(chatter.length)] ?? "";
  const said: number[] = [];
  return Array.from({ length: 200 }, (_, at) => {
    // A fact every third conversation, until all are said; then, and between them, tasks that need one.
    if (at % 3 === 0 && said.length < facts.length) {
      const next = said.push(said.length) - 1;
      return { messages: [small(), `${small()} ${facts[next]?.[0]} ${small()}`, small()] };
    }
    if (at % 2 === 0 || said.length === 0) return { messages: [small(), small()] };
    const fact = facts[said[below(said.length)] ?? 0];
    return { messages: [fact?.[2] ?? "", small()], need: fact?.[1] ?? "" };
  });
}
