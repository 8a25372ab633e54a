import type { ArgumentOrigin, AskedQuestion, Said, WhyCall } from "@cogency/protocol/why";
import { exact } from "../../base/terminal/exact-text.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { factRows } from "./fact-rows.ts";

type Allowed = NonNullable<NonNullable<WhyCall["started"]>["allowed"]>;

interface CallRowsOptions {
  /** Columns of the terminal. */
  readonly width: number;
  /** The numbers of the answers that this installation has signed. */
  readonly ours: ReadonlySet<number>;
}

/** What led to a call, in rows for a terminal. Texts of the log are escaped. */
export function callRows(why: WhyCall, { width, ours }: CallRowsOptions): string[] {
  const { seq, id, name, args, prompt, words, request, changed, questions, started, ended, origins } = why;
  return factRows(width, [
    ["call", [`${seq}: ${exact(name)}${id === undefined ? "" : ` (${exact(id)})`} ${gist(JSON.stringify(args))}`]],
    ["asked for", [prompt ? saidText(prompt) : "the turn has no words of a person"]],
    ...(words.length > 0 ? [["before it", words.map(saidText)] as const] : []),
    ["request", [request === undefined ? "the log has no record of it" : `${request}`]],
    ...(origins.length > 0 ? [["texts", origins.map(originText)] as const] : []),
    ...(changed
      ? [
          [
            "changed",
            [
              `${changed.seq}: a hook or its schema made ${exact(changed.name)} ${gist(JSON.stringify(changed.args))} of it`,
            ],
          ] as const,
        ]
      : []),
    ...(questions.length > 0
      ? [["questions", questions.flatMap((question) => questionTexts(question, ours))] as const]
      : []),
    ["allowed", [started ? allowedText(started.seq, started.allowed) : "it has not begun"]],
    ["ended", [ended ? `${ended.seq}: ${oneLine(ended.status, 20)}` : "the log has no end of it"]],
  ]);
}

function saidText({ seq, type, text }: Said): string {
  return `${seq}: ${type === "think" ? "thought " : type === "respond" ? "said " : ""}${gist(text)}`;
}

function originText({ path, piece, isWhole, seq, by }: ArgumentOrigin): string {
  const trust = by.holds.length > 0 ? ` (${by.holds.join(", ")})` : "";
  const source = by.who === "tool" ? `the result of ${exact(oneLine(by.tool ?? "", 60))}${trust}` : sources[by.who];
  return `${oneLine(path, 60)}: ${isWhole ? "all of it" : gist(piece)} stands first in ${seq}, ${source}`;
}

const sources: Readonly<Record<Exclude<ArgumentOrigin["by"]["who"], "tool">, string>> = {
  person: "the person's words",
  model: "the model's own words",
  system: "the system prompt",
  runtime: "a notice of the runtime",
  untrusted: "text that no person vouched for",
  summary: "a summary",
};

function questionTexts(
  { seq, message, touches, concerns, answer }: AskedQuestion,
  ours: ReadonlySet<number>,
): string[] {
  const about = message === undefined ? "whether it may run" : gist(message);
  return [
    `${seq}: ${about}${touches.length > 0 ? `; it touches ${gist(touches.join(", "))}` : ""}`,
    ...concerns.map(({ kind, why }) => `${oneLine(kind, 20)}: ${gist(why)}`),
    answer
      ? `${answer.seq}: ${oneLine(answer.status, 20)}${answer.from === undefined ? "" : ` by ${oneLine(answer.from, 60)}`}` +
        `${answer.reason === undefined ? "" : `, because ${gist(answer.reason)}`}${proofText(answer.status, ours.has(answer.seq))}`
      : "it has no answer",
  ];
}

function proofText(status: string, isOurs: boolean): string {
  if (status === "answered") return "";
  return isOurs ? "; signed on this machine" : "; not signed on this machine, so it does not count here";
}

function allowedText(seq: number, allowed: Allowed | undefined): string {
  if (!allowed) return `${seq}: the log does not say by what`;
  const { by, rule, from, question } = allowed;
  const rest = [
    ...(rule === undefined ? [] : [gist(rule)]),
    ...(from === undefined ? [] : [`of ${gist(from)}`]),
    ...(question === undefined ? [] : [`to question ${oneLine(question, 40)}`]),
  ].join(" ");
  return `${seq}: ${reasons[by] ?? oneLine(by, 20)}${rest === "" ? "" : ` ${rest}`}`;
}

const reasons: Readonly<Record<Allowed["by"], string>> = {
  approval: "by the answer",
  rule: "by the rule",
  mode: "by the mode",
  policy: "by the policy of the program",
  "read-only": "its tool changes nothing",
  tool: "its tool needs no question",
  client: "the client runs it itself",
};

function gist(text: string): string {
  return oneLine(text, 160);
}
