import type { ModelMessage, ToolSpec } from "@cogency/protocol";
import { type SentRequest, sentMessageText, sentRequest, whyRequest } from "@cogency/protocol/why";
import { changedLines } from "../conversation/changed-lines.ts";
import { counted, grouped, size } from "../conversation/format.ts";
import { replyMessage } from "../conversation/reply-message.ts";
import { asText } from "../conversation/search-text.ts";
import type { Step } from "../conversation/step.ts";
import { visible } from "../text.ts";
import { diffView } from "./diff-view.ts";
import { longText } from "./long-text.ts";
import type { PageContext } from "./page-context.ts";
import { disclosure, tag } from "./tag.ts";
import { whyRequestView } from "./why-view.ts";

/** A request as it was sent, and the reply as it was written; made when a person looks. */
export function requestView(step: Step, context: PageContext): HTMLElement[] {
  const { events } = context.conversation;
  const why = step.request && whyRequest(events, step.request.seq);
  const request = why && sentRequest(events, why.seq);
  const before = why?.prefix.before === undefined ? undefined : sentRequest(events, why.prefix.before);
  const views = request
    ? [...requestParts(request, before), disclosure(["Why"], () => whyRequestView(why, context), { class: "why" })]
    : [tag("p", { class: "fact" }, "The log does not hold what was asked in this step.")];
  return [tag("h4", {}, "Request"), ...views, tag("h4", {}, "Reply"), ...replyParts(step, replyMessage(events, step))];
}

function requestParts({ data, system, tools, messages, again }: SentRequest, before?: SentRequest): HTMLElement[] {
  const { driver, provider, model, settings } = data;
  const settingsText = Object.keys(Object(settings)).length > 0 ? asText(settings) : undefined;
  const facts = [`driver ${driver}`, `provider ${provider}`, `model ${model}`].map((text) => visible(text));
  return [
    tag("p", { class: "fact" }, facts.join(" · ")),
    systemView(system?.value, before?.system?.value),
    ...(tools.value.length > 0 ? [toolsView(tools.value, before?.tools.value)] : []),
    ...(settingsText ? [disclosure(["Settings"], () => [longText(settingsText)])] : []),
    messages
      ? messagesView(
          messages.map(({ message }) => message),
          again,
        )
      : tag("p", { class: "fact" }, "The driver made messages of its own."),
  ];
}

function systemView(system: string | undefined, before: string | undefined): HTMLElement {
  if (system === undefined) return tag("p", { class: "fact" }, "The system prompt is not in the log.");
  const isChanged = before !== undefined && before !== system;
  const news = before === undefined ? "" : isChanged ? ", changed" : ", as before";
  return disclosure([`System prompt, ${size(system.length)}${news}`], () => [
    isChanged && diffView("system prompt", changedLines(before, system)),
    longText(system),
  ]);
}

function toolsView(tools: readonly ToolSpec[], before: readonly ToolSpec[] | undefined): HTMLElement {
  const known = new Map(before?.map((tool) => [tool.name, JSON.stringify(tool)]));
  const isNew = (tool: ToolSpec) => before !== undefined && known.get(tool.name) !== JSON.stringify(tool);
  const isSame = !tools.some(isNew) && before?.length === tools.length;
  return disclosure([`${counted(tools.length, "tool")}${before ? (isSame ? ", as before" : ", changed") : ""}`], () =>
    tools.map((tool) =>
      disclosure([tag("code", {}, visible(tool.name)), isNew(tool) && " (new or changed)"], () => [
        tag("p", {}, visible(String(tool.description))),
        longText(asText(tool.parameters)),
      ]),
    ),
  );
}

function messagesView(messages: readonly ModelMessage[], again: number): HTMLElement {
  const fresh = messages.slice(again);
  const box = tag("div", { class: "messages" });
  if (again > 0)
    box.append(
      disclosure([`${counted(again, "message")} that the request before had sent, too`], () =>
        messages.slice(0, again).map(messageView),
      ),
    );
  box.append(...fresh.map(messageView));
  return box;
}

function messageView(message: ModelMessage): HTMLElement {
  return disclosure(
    [tag("span", { class: "label" }, message.role), " ", tag("span", { class: "gist" }, messageGist(message))],
    () => [longText(sentMessageText(message), message.role)],
  );
}

function messageGist(message: ModelMessage): string {
  const text = sentMessageText(message);
  return `${visible(text.slice(0, 100).replace(/\s+/g, " "))} (${size(text.length)})`;
}

function replyParts({ refused, native, usage, entries }: Step, message: ModelMessage | undefined): HTMLElement[] {
  const parts: HTMLElement[] = [];
  const thoughts = entries.flatMap(({ shown }) => (shown.type === "thinking" ? shown.content : []));
  if (thoughts.length > 0)
    parts.push(
      disclosure([`Thinking, ${size(thoughts.join("").length)}`], () => thoughts.map((text) => longText(text))),
    );
  if (message)
    parts.push(tag("p", { class: "label" }, "As the next request shows it"), longText(sentMessageText(message)));
  if (refused !== undefined)
    parts.push(tag("p", { class: "label" }, "The block that was refused, as the model wrote it"), longText(refused));
  if (native)
    parts.push(disclosure([`The blocks of ${visible(native.provider)}`], () => [longText(asText(native.data))]));
  if (parts.length === 0) parts.push(tag("p", { class: "fact" }, "The log holds no text of it."));
  if (usage) parts.push(tag("p", { class: "fact" }, usageText(usage)));
  return parts;
}

function usageText({ input, cacheRead, cacheWrite, output, reasoning, estimated }: NonNullable<Step["usage"]>): string {
  const counts = [
    `${grouped(input)} input`,
    `${grouped(cacheRead)} read from the cache`,
    `${grouped(cacheWrite)} written to it`,
    `${grouped(output)} output`,
    `${grouped(reasoning)} of it reasoning`,
  ];
  return `${estimated ? "Tokens, estimated: " : "Tokens: "}${counts.join(", ")}`;
}
