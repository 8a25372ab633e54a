import { parseArgs } from "node:util";
import { columns } from "@tooling/bench";
import { measureAll } from "./figures/measure-all.ts";
import { claims, forms, overview, sums, turnByTurn } from "./report/tables.ts";
import { writeReport } from "./report/write-report.ts";

/**
 * What a turn costs in tokens, measured by what comes over sockets of this machine. `--json` prints the figures, `--write` writes them
 * into the picture, the README at the top and the page of the agent.
 */
const { values } = parseArgs({ options: { json: { type: "boolean" }, write: { type: "boolean" } } });
const figures = await measureAll();
if (values.json) {
  console.log(JSON.stringify(figures));
} else {
  const titled = [
    ["32 turns", overview(figures)],
    ["A chat: each turn is a prompt, a call and an answer", sums(figures, "chat")],
    ["The chat, turn by turn", turnByTurn(figures, "chat")],
    ["One run: each turn is a call, the last one the answer", sums(figures, "job")],
    ["The run, turn by turn", turnByTurn(figures, "job")],
    ["The claim, and what was sent in one run", claims(figures)],
    ["The forms of a chat, over Chat Completions with OpenAI's cache", forms(figures)],
  ] as const;
  for (const [title, table] of titled)
    console.log(
      `${title}\n${columns(table)
        .map((line) => `  ${line}`)
        .join("\n")}\n`,
    );
}
if (values.write) writeReport(figures);
