import type { EndPart, NoticePart, UserPart } from "@cogency/protocol/parts";
import { counted, excerpt } from "../conversation/format.ts";
import type { Entry, Mark } from "../conversation/step.ts";
import { visible } from "../text.ts";
import { anchor } from "./anchor.ts";
import { attachmentView } from "./attachment-view.ts";
import { callView } from "./call-view.ts";
import { longText } from "./long-text.ts";
import { markdown } from "./markdown.ts";
import { namePoint } from "./name-point.ts";
import type { PageContext } from "./page-context.ts";
import { questionView } from "./question-view.ts";
import { button, disclosure, tag } from "./tag.ts";

/** The element of one entry. The number of its event is its id, so that links lead to it. */
export function entryView(entry: Entry, context: PageContext): HTMLElement {
  const element = made(entry, context);
  element.id = context.idOf(entry.seq);
  element.classList.add("entry", partTypes.has(entry.shown.type) ? entry.shown.type : "mark");
  element.tabIndex = -1;
  return element;
}

const partTypes: ReadonlySet<string> = new Set([
  "user",
  "text",
  "thinking",
  "call",
  "question",
  "error",
  "notice",
  "end",
]);

function made(entry: Entry, context: PageContext): HTMLElement {
  const { shown } = entry;
  switch (shown.type) {
    case "user":
      return userView(shown, entry, context);
    case "text":
      return tag("article", { "aria-label": "Answer" }, anchor(entry, context), markdown(shown.content));
    case "thinking":
      return tag(
        "article",
        { "aria-label": "Thinking" },
        anchor(entry, context),
        disclosure(
          [
            tag("span", { class: "label" }, "Thinking"),
            " ",
            tag("span", { class: "gist" }, visible(excerpt(shown.content, 110))),
          ],
          () => [markdown(shown.content)],
        ),
      );
    case "call":
      return callView(entry, shown, context);
    case "question":
      return tag("article", { "aria-label": "Question" }, anchor(entry, context), questionView(shown, {}, context));
    case "error":
      return tag(
        "article",
        { "aria-label": "Error" },
        anchor(entry, context),
        tag("p", { class: "label" }, "Refused", " ", tag("code", {}, visible(shown.code))),
        tag("p", {}, visible(shown.message)),
      );
    case "notice":
      return noticeView(shown, entry, context);
    case "end":
      return tag("p", {}, anchor(entry, context), endText(shown), " ", forkAfter(entry, context));
    default:
      return tag("p", {}, anchor(entry, context), ...markContent(shown));
  }
}

/** Why the conversation does not go on. Once it has, one quiet line is left. */
function noticeView({ code, message, retryAt, open }: NoticePart, entry: Entry, context: PageContext): HTMLElement {
  if (!open) return tag("p", {}, anchor(entry, context), visible(message));
  const next = retryAt === undefined ? undefined : tag("p", { class: "fact" }, `Next try: ${timeText(retryAt)}`);
  return tag(
    "article",
    { "aria-label": "Notice" },
    anchor(entry, context),
    tag("p", { class: "label" }, "The agent cannot answer now", " ", tag("code", {}, visible(code))),
    tag("p", {}, visible(message)),
    next,
  );
}

function userView(
  { content, origin, sources = [], attachments = [] }: UserPart,
  entry: Entry,
  context: PageContext,
): HTMLElement {
  const { actions } = context;
  const fork =
    actions &&
    origin === undefined &&
    button("Fork before this", () => actions.fork(entry.seq - 1, content), { class: "quiet" });
  // Before the first event there is nothing to go back to.
  const name =
    actions && origin === undefined && entry.seq > 1 && namePoint((text) => actions.name(text, entry.seq - 1));
  const { caller } = context.conversation;
  const title = tag(
    "h2",
    { class: "label" },
    sources.length > 0
      ? outside(sources)
      : origin
        ? speakers[origin]
        : caller
          ? "The agent that has started it"
          : "You",
  );
  return tag(
    "article",
    { class: origin ? "runtime" : undefined },
    anchor(entry, context),
    tag("div", { class: "row" }, title, tag("span", { class: "fact" }, timeOf(entry)), fork, name),
    // A person's words are shown as they were typed.
    content.length > 4000 ? longText(content) : tag("p", { class: "words", dir: "auto" }, visible(content)),
    ...attachments.map(attachmentView),
  );
}

const speakers: Readonly<Record<NonNullable<UserPart["origin"]>, string>> = {
  nudge: "The runtime, after a step that could not be used",
  notice: "Notice of the runtime",
  recovery: "The runtime, after an interruption",
  untrusted: "Piped text, which no person vouched for",
};

/** `Notice from outside: ci, 3 of mail (untrusted) and 2 other sources` */
function outside(sources: NonNullable<UserPart["sources"]>): string {
  const named = sources.slice(0, 3).map(({ source, count, holds }) => {
    const of = count > 1 ? `${count} of ${excerpt(source, 40)}` : excerpt(source, 40);
    return holds === undefined ? of : `${of} (${holds})`;
  });
  const others = sources.length - named.length;
  return visible(
    `Notice from outside: ${named.join(", ")}${others > 0 ? ` and ${counted(others, "other source")}` : ""}`,
  );
}

function forkAfter({ seq }: Entry, { actions }: PageContext): HTMLElement | undefined {
  if (!actions) return undefined;
  const fork = button("Fork after this", () => actions.fork(seq), { class: "quiet" });
  return tag(
    "span",
    {},
    fork,
    " ",
    namePoint((text) => actions.name(text, seq)),
  );
}

function endText({ status, stop, error }: EndPart): string {
  const why = error ? `${error.message} (${error.code})` : stop && `${stop.message} (${stop.reason})`;
  return visible(why ? `${ends[status] ?? status}: ${why}` : (ends[status] ?? status));
}

const ends: Readonly<Record<string, string>> = {
  completed: "The run is complete",
  stopped: "The run was stopped",
  failed: "The run failed",
  waiting: "The run waits for an answer",
  cancelled: "The run was cancelled",
};

function markContent(mark: Mark): (HTMLElement | string)[] {
  switch (mark.type) {
    case "model":
      return [`From here on ${visible(mark.to)}, before ${visible(mark.from)}`];
    case "content":
      return [`From here on the conversation holds ${visible(mark.holds)} text: ${visible(excerpt(mark.source, 200))}`];
    case "tools":
      return [`The model found tools: ${visible(mark.names.join(", "))}`];
    case "message":
      return [`A message (${visible(mark.kind)}) was refused: ${visible(mark.refused)}`];
    case "summary":
      if (mark.upTo === 0) return ["The summary was taken back: requests hold the whole conversation again"];
      return [
        disclosure([`Requests show a summary in place of the first ${counted(mark.upTo, "event")}`], () => [
          markdown(mark.text),
        ]),
      ];
  }
}

function timeOf({ time }: Entry): string {
  return timeText(time);
}

function timeText(time: number): string {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleString("sv-SE");
}
