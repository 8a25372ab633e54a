import { UsageError } from "../../base/errors/usage-error.ts";
import { exact } from "../../base/terminal/exact-text.ts";
import { counted } from "../../base/terminal/text.ts";
import type { PlacedRules } from "../../place/rules/usable-rules.ts";
import type { ChatSession } from "../conversation/chat-session.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/rules`: every rule that counts, where it stands, and how to drop one of this session. */
export const rulesCommand: SlashCommand = {
  name: "rules",
  argument: "[drop <rule>|drop all]",
  help: "the rules that apply here, and where each is from; drop removes rules of this session",
  anytime: true,
  complete: ({ session }) => ["all", ...session.rules.now()].map((rule) => `drop ${rule}`),
  async run({ session, view }, argument) {
    const [, word = "", rule = ""] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
    if (word === "") {
      const rows = (await placedRules(session)).flatMap(rowsOf);
      if (rows.length > 0) view.list(rows);
      else view.remark("No rule counts here. An answer to a question can become one.");
    } else if (word !== "drop" || rule === "") {
      throw new UsageError("Write /rules, /rules drop <rule> or /rules drop all.");
    } else if (rule === "all") {
      view.remark(`${counted(session.rules.clear(), "rule")} of this session dropped.`);
    } else if (session.rules.drop(rule)) {
      view.remark(`Dropped: ${exact(rule)}. Calls that it names are asked about again.`);
    } else {
      throw new UsageError(
        `No rule of this session is "${exact(rule)}". /rules lists them; those of a file end when you take them out of it.`,
      );
    }
  },
};

/** In the order in which they are read. */
async function placedRules(session: ChatSession): Promise<PlacedRules[]> {
  const { kept } = await session.open();
  const { choice, rules } = session;
  return [
    ...kept.placed(),
    { file: "--allow or the configuration", rules: { allow: choice.allow ?? [] } },
    { file: "this session", rules: { allow: rules.now() } },
  ];
}

function rowsOf({ file, rules }: PlacedRules): [name: string, help: string][] {
  return (["deny", "ask", "allow"] as const).flatMap((list) =>
    (rules[list] ?? []).map((rule): [string, string] => [`${list} ${exact(rule)}`, exact(file)]),
  );
}
