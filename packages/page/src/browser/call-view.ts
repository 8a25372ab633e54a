import type { CallPart } from "@cogency/protocol/parts";
import { duration, excerpt } from "../conversation/format.ts";
import { asText } from "../conversation/search-text.ts";
import type { Entry } from "../conversation/step.ts";
import { revealed, visible } from "../text.ts";
import { agentView } from "./agent-view.ts";
import { anchor } from "./anchor.ts";
import { argumentsView, gistOf } from "./arguments-view.ts";
import { attachmentView } from "./attachment-view.ts";
import { longText } from "./long-text.ts";
import type { PageContext } from "./page-context.ts";
import { planGist } from "./plan-view.ts";
import { questionView } from "./question-view.ts";
import { disclosure, tag } from "./tag.ts";
import { whyCallView } from "./why-view.ts";

/** A call: one line, and below it everything that went in and came out. Changes, failures and open questions are open. */
export function callView(entry: Entry, call: CallPart, context: PageContext): HTMLElement {
  const { name, args, result, outcome } = call;
  const isFailed = outcome !== undefined && outcome !== "success";
  const isChange = args !== undefined && (name === "edit" || name === "write") && !isFailed;
  const [sign, word] = isFailed ? ["✗", outcome] : outcome ? ["✓", "success"] : ["…", states[call.state]];
  // An open question is never collapsed, and shows all that will run.
  const open = entry.questions.filter((question) => question.open);
  const told = open.length === 0 ? decisions(entry) : "";
  const summary = [
    tag("span", { class: "sign", role: "img", "aria-label": word }, sign),
    tag("code", { class: "name" }, revealed(name)),
    tag("span", { class: "gist" }, planGist(name, args) ?? gistOf(args)),
    told !== "" && told !== word && tag("span", { class: "fact" }, told),
    tag("span", { class: "fact outcome" }, isFailed || !outcome ? word : ""),
    tag("span", { class: "time" }, call.duration === undefined ? "" : duration(call.duration)),
  ];
  const settled = entry.questions.filter(({ open }) => !open);
  const body = () => [
    ...argumentsView(name, args ?? {}),
    ...(result ? [resultView(result.content, isFailed), ...(result.attachments ?? []).map(attachmentView)] : []),
    ...settled.map((question) => questionView(question, args ?? {}, context)),
    disclosure(["Why"], () => whyCallView(call.id ?? entry.seq, context), { class: "why" }),
  ];
  const details = disclosure(summary, body, {
    open: isFailed || (isChange && (open.length === 0 || !context.actions)),
  });
  const element = tag("article", { "aria-label": `Call of ${revealed(name)}` }, anchor(entry, context), details);
  element.classList.toggle("failed", isFailed);
  element.classList.toggle("unsettled", outcome === undefined);
  // What stands in it comes from elsewhere than the log.
  if (call.state === "running" && context.actions) element.append(tag("p", { class: "progress" }));
  if (entry.agent) element.append(agentView(entry.agent, context));
  element.append(...open.map((question) => questionView(question, args ?? {}, context)));
  return element;
}

const states: Readonly<Record<CallPart["state"], string>> = {
  writing: "is being written",
  pending: "has not begun",
  waiting: "waits for a person",
  running: "runs",
  done: "is over",
};

function decisions({ questions }: Entry): string {
  return questions.map(({ decision }) => (decision === undefined ? "asked" : decision)).join(", ");
}

function resultView(content: unknown, isFailed: boolean): HTMLElement {
  const box = tag("div", { class: isFailed ? "result failed" : "result" });
  for (const [label, text] of resultTexts(content)) {
    if (label) box.append(tag("p", { class: "label" }, visible(label)));
    box.append(longText(text, label || "Result"));
  }
  return box;
}

/** The texts of a result, each with its name: those of an object, where every longer value is a text. */
function resultTexts(content: unknown): [label: string, text: string][] {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return [["", asText(content)]];
  const long: [string, string][] = [];
  const short: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    if (typeof value === "string" && value === "") continue;
    if (typeof value === "string" && (value.length > 80 || value.includes("\n"))) long.push([name, value]);
    else short.push(`${name}: ${typeof value === "string" ? value : excerpt(JSON.stringify(value), 100_000)}`);
  }
  return short.length > 0 ? [["", short.join("\n")], ...long] : long;
}
