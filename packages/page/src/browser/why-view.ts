import {
  type ArgumentOrigin,
  type AskedQuestion,
  type PrefixBreak,
  type RequestPart,
  type WhyCall,
  type WhyRequest,
  whyCall,
} from "@cogency/protocol/why";
import { counted, duration, excerpt, grouped } from "../conversation/format.ts";
import { revealed, visible } from "../text.ts";
import type { PageContext } from "./page-context.ts";
import { tag } from "./tag.ts";

type Allowed = NonNullable<NonNullable<WhyCall["started"]>["allowed"]>;
type Texts = readonly (HTMLElement | string)[];

/** What broke the cached beginning of a request, and which events made which part of it; each number is a link to its event. */
export function whyRequestView({ parts, hasMessages, prefix }: WhyRequest, context: PageContext): HTMLElement[] {
  const rows = parts.map((part) =>
    tag(
      "tr",
      {},
      tag("td", {}, visible(nameOf(part))),
      tag("td", { class: "number" }, grouped(part.tokens)),
      tag("td", {}, ...links(part.events, context)),
      tag("td", { class: "gist" }, visible(excerpt(part.text, 80))),
    ),
  );
  const heads = ["Part", "Tokens", "Events", "Begins"].map((text) => tag("th", { scope: "col" }, text));
  return [
    facts(prefixFacts(prefix, context)),
    tag(
      "div",
      { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Parts of the request" },
      tag("table", {}, tag("thead", {}, tag("tr", {}, ...heads)), tag("tbody", {}, ...rows)),
    ),
    ...(hasMessages
      ? []
      : [tag("p", { class: "fact" }, "Its messages are not in the log: a driver, a view or a hook made others.")]),
  ];
}

function prefixFacts(prefix: PrefixBreak, context: PageContext): [string, Texts][] {
  const { state, kind, why, line, same, lost, before, seconds, usage } = prefix;
  const isBroken = state === "broken";
  const about = `about ${counted(same.tokens, "token")} as in request `;
  return [
    ["Beginning", [isBroken ? `Broken by ${String(kind).replace("_", " ")}. ${visible(why)}` : visible(why)]],
    ...(line && isBroken
      ? ([
          ["Was", [code(line.before)]],
          ["Is", [code(line.now)]],
        ] as [string, Texts][])
      : []),
    ...(before === undefined
      ? []
      : ([
          [
            "Cost",
            [
              about,
              link(before, context),
              isBroken ? `, about ${counted(lost, "token")} of it had to be read anew` : "",
              seconds === undefined ? "" : `; ${duration(seconds)} after it`,
            ],
          ],
        ] as [string, Texts][])),
    ...(usage
      ? ([["Server", [`${grouped(usage.input)} tokens read anew, ${grouped(usage.cacheRead)} from its cache`]]] as [
          string,
          Texts,
        ][])
      : []),
  ];
}

function nameOf({ kind, name, standsFor, attachments }: RequestPart): string {
  if (standsFor) return `summary of ${standsFor.from} to ${standsFor.to}`;
  const held = attachments > 0 ? `, ${counted(attachments, "attachment")}` : "";
  return kind === "message" ? `${name}${held}` : `${kind} ${name}`;
}

/** The words, the question, the rule and the texts that led to a call. */
export function whyCallView(wanted: string | number, context: PageContext): HTMLElement[] {
  const why = whyCall(context.conversation.events, wanted);
  if (!why) return [tag("p", { class: "fact" }, "The log does not hold the call.")];
  const { prompt, words, request, changed, questions, started, ended, origins } = why;
  const none = "–";
  return [
    facts([
      ["Asked for", prompt ? [link(prompt.seq, context), ` ${gist(prompt.text)}`] : [none]],
      ...words.map(({ seq, text, type }): [string, Texts] => [
        type === "think" ? "Thought" : "Said",
        [link(seq, context), ` ${gist(text)}`],
      ]),
      ["Request", request === undefined ? [none] : [link(request, context)]],
      ...origins.map((origin): [string, Texts] => ["Text", originTexts(origin, context)]),
      ...(changed ? [["Changed", [link(changed.seq, context), " by a hook or its schema"]] as [string, Texts]] : []),
      ...questions.flatMap((question) => questionFacts(question, context)),
      ["Allowed", started ? [link(started.seq, context), ` ${allowedText(started.allowed)}`] : ["it has not begun"]],
      ["Ended", ended ? [link(ended.seq, context), ` ${visible(ended.status)}`] : [none]],
    ]),
  ];
}

function originTexts({ path, piece, isWhole, seq, by }: ArgumentOrigin, context: PageContext): Texts {
  const trust = by.holds.length > 0 ? ` (${by.holds.map(visible).join(", ")})` : "";
  const source = by.who === "tool" ? `the result of ${revealed(by.tool ?? "")}${trust}` : sources[by.who];
  const what = isWhole ? "all" : gist(piece);
  return [code(path), `: ${what} stands first in `, link(seq, context), `, ${source}`];
}

const sources: Readonly<Record<Exclude<ArgumentOrigin["by"]["who"], "tool">, string>> = {
  person: "the words of the person",
  model: "the words of the model",
  system: "the system prompt",
  runtime: "a notice of the runtime",
  untrusted: "text that no person vouched for",
  summary: "a summary",
};

function questionFacts({ seq, concerns, answer }: AskedQuestion, context: PageContext): [string, Texts][] {
  const reason = answer?.reason === undefined ? "" : `, because ${gist(answer.reason)}`;
  const why = concerns.map((concern) => ` ${gist(concern.why)}`);
  return [
    ["Question", [link(seq, context), ...why]],
    ["Answer", answer ? [link(answer.seq, context), ` ${visible(answer.status)}${reason}`] : ["none yet"]],
  ];
}

function allowedText(allowed: Allowed | undefined): string {
  if (!allowed) return "the log does not say by what";
  const { by, rule, from } = allowed;
  const named = `${rule === undefined ? "" : ` ${gist(rule)}`}${from === undefined ? "" : ` of ${gist(from)}`}`;
  return `${reasons[by] ?? visible(by)}${named}`;
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

function facts(rows: readonly (readonly [name: string, texts: Texts])[]): HTMLElement {
  return tag(
    "dl",
    { class: "arguments" },
    ...rows.flatMap(([name, texts]) => [tag("dt", {}, name), tag("dd", {}, ...texts)]),
  );
}

function links(events: readonly number[], context: PageContext): Texts {
  if (events.length === 0) return ["–"];
  return events.flatMap((seq, i) => (i === 0 ? [link(seq, context)] : [", ", link(seq, context)]));
}

function link(seq: number, context: PageContext): HTMLElement {
  return tag("a", { href: context.hrefOf(seq) }, String(seq));
}

function code(text: string): HTMLElement {
  return tag("code", { dir: "auto" }, visible(text));
}

function gist(text: string): string {
  return visible(excerpt(text, 160));
}
