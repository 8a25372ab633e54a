import type { Form } from "../conversation/reply.ts";
import type { Kind } from "../conversation/script.ts";
import { costOf, totalOf } from "../figures/cost.ts";
import { type ConversationFigures, type Figures, lengths, longest } from "../figures/figures.ts";
import { ways } from "../ways.ts";
import { claim } from "./claim.ts";

/** Rows of cells; the first one is the head, whose first cell no other table of a document has. */
export type Table = readonly (readonly string[])[];

/** What 32 turns cost over each way, in a chat and in one run. */
export function overview({ conversations }: Figures): Table {
  const head = ["32 turns", "chat: tokens sent", "billed as", "one run: tokens sent", "billed as"];
  const chats = conversations.filter(({ kind }) => kind === "chat");
  const rows = chats.map(({ way }) => [
    ways[way].name,
    ...conversations
      .filter((one) => one.way === way)
      .flatMap((one) => [totalOf(one.turns).sent, billed(one)].map(count)),
  ]);
  return [head, ...rows];
}

/** The sums after 8, 16 and 32 turns, and how many times as much as the first turn the last one costs. */
export function sums({ conversations }: Figures, kind: Kind): Table {
  const head = [
    kind === "chat" ? "chat" : "one run",
    "turns",
    "sent",
    "read by the model",
    "from the cache",
    "billed as",
    "last turn ÷ first",
  ];
  const rows = conversations
    .filter((one) => one.kind === kind)
    .flatMap((one) =>
      lengths.map((length) => {
        const { way, turns } = firstTurns(one, length);
        const { sent, input, cached } = totalOf(turns);
        const [first = 0, last = 0] = [turns.slice(0, 1), turns.slice(-1)].map((turn) => costOf(turn, ways[way].price));
        return [
          ways[way].name,
          ...[length, sent, input, cached, billed({ ...one, turns })].map(count),
          times(last / first),
        ];
      }),
    );
  return [head, ...rows];
}

/** Each turn: what was sent, and of it what the server knew. */
export function turnByTurn({ conversations }: Figures, kind: Kind): Table {
  const those = conversations.filter((one) => one.kind === kind);
  const head = ["turn", ...those.flatMap(({ way }) => [`${ways[way].name}: sent`, "cached", "billed as"])];
  const rows = Array.from({ length: longest }, (_, index) => [
    count(index + 1),
    ...those.flatMap(({ way, turns }) => {
      const turn = turns.slice(index, index + 1);
      const { sent, cached } = totalOf(turn);
      return [sent, cached, costOf(turn, ways[way].price)].map(count);
    }),
  ]);
  return [head, ...rows];
}

/** The claim beside the tokens that were sent in one run. */
export function claims({ conversations }: Figures): Table {
  const sent = (way: string, length: number) => {
    const found = conversations.find((one) => one.kind === "job" && one.way === way);
    return found ? totalOf(firstTurns(found, length).turns).sent : Number.NaN;
  };
  const head = ["turns", "claimed: replay", "resume", "ratio", "sent: replay", "resume", "ratio"];
  const rows = lengths.map((length) => {
    const pairs = [
      [claim.replay(length), claim.resume(length)],
      [sent("replay", length), sent("resume", length)],
    ] as const;
    return [
      count(length),
      ...pairs.flatMap(([replay, resume]) => [count(replay), count(resume), times(replay / resume)]),
    ];
  });
  return [head, ...rows];
}

/** The forms of a conversation side by side. */
export function forms({ forms }: Figures): Table {
  const head = [
    "form",
    "system prompt and tools",
    "a turn",
    "its thoughts",
    "32 turns: read by the model",
    "billed as",
  ];
  const rows = forms.map(({ form, fixed, turn, thoughts, input, cost }) => [
    formNames[form],
    ...[fixed, turn, thoughts].map((tokens) => `+${count(tokens)}`),
    count(input),
    count(cost),
  ]);
  return [head, ...rows];
}

const formNames: Record<Form, string> = {
  json: "text protocol, `json`",
  xml: "text protocol, `xml`",
  native: "native calls",
  react: "ReAct decisions",
};

/** The table in Markdown, the numbers on the right. */
export function markdown([head = [], ...rows]: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

function firstTurns(one: ConversationFigures, length: number): ConversationFigures {
  return { ...one, turns: one.turns.slice(0, length) };
}

const billed = ({ way, turns }: ConversationFigures) => costOf(turns, ways[way].price);

const count = (value: number) => value.toLocaleString("en-US");
const times = (ratio: number) => `${ratio.toFixed(1)}×`;
