import type { CallPart, EndPart, NoticePart, Part, QuestionPart } from "@cogency/protocol/parts";
import type { PageMessage } from "./post.ts";

/** Posts an answer. Returns whether it was posted. */
type Answer = (message: PageMessage) => Promise<boolean>;

const elements = new WeakMap<Part, HTMLElement>();

/** Makes the element of a part, once: a part never changes. What a model or a tool wrote becomes text, never HTML. */
export function elementOf(part: Part, answer: Answer): HTMLElement {
  let element = elements.get(part);
  if (!element) {
    element = make(part, answer);
    element.classList.add("part", part.type);
    elements.set(part, element);
  }
  return element;
}

function make(part: Part, answer: Answer): HTMLElement {
  switch (part.type) {
    case "user":
      return article(part.origin ? "Not written by you" : "You", tag("p", part.content));
    case "text":
      return article("Agent", tag("p", part.content));
    case "thinking":
      return article("Thinking", tag("p", part.content));
    case "call":
      return call(part);
    case "question":
      return question(part, answer);
    case "error":
      return article("Error", tag("p", part.message));
    case "notice":
      return notice(part);
    case "end":
      return tag("p", endText(part));
  }
}

function call({ name, args, state, outcome, result }: CallPart): HTMLElement {
  const element = article(
    `Call of ${name}: ${outcome ?? stateTexts[state]}`,
    tag("pre", JSON.stringify(args, null, 2) ?? ""),
    ...(result ? [tag("pre", asText(result.content))] : []),
  );
  if (outcome !== undefined && outcome !== "success") element.classList.add("failed");
  return element;
}

const stateTexts: Readonly<Record<CallPart["state"], string>> = {
  writing: "is being written",
  pending: "has not begun",
  waiting: "waits for an answer",
  running: "runs",
  done: "is over",
};

function question(part: QuestionPart, answer: Answer): HTMLElement {
  const { id, asks, message, concerns, touches, open } = part;
  const asked = [
    tag("p", message ?? "May this call run?"),
    ...(touches.length > 0 ? [tag("p", `It touches ${touches.join(", ")}.`)] : []),
    ...concerns.map(({ why }) => tag("p", why)),
  ];
  if (!open) return article("Question", ...asked, tag("p", decisionText(part)));
  if (asks === "answer") return article("Question", ...asked, tag("p", "This page cannot answer it."));

  const form = tag("form");
  const fields = tag("fieldset");
  const reason = tag("input");
  const yes = tag("button", "Yes");
  // The button of a form that Enter presses: a reason that is typed must never become a yes.
  const no = tag("button", "No");
  yes.type = "button";
  yes.className = "main";
  form.setAttribute("aria-label", "Question");
  const label = tag("label", "Why not? (the model reads it)", reason);
  const buttons = tag("div", yes, no, label);
  buttons.className = "row";
  fields.append(...asked, buttons);
  form.append(fields);

  const send = async (given: PageMessage) => {
    fields.disabled = true;
    // Once it is posted, the log brings the answer, and another element takes the place of this one.
    fields.disabled = await answer(given);
  };
  yes.addEventListener("click", () => send({ kind: "approve", question: id }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send({ kind: "deny", question: id, ...(reason.value && { reason: reason.value }) });
  });
  return form;
}

function decisionText({ decision, reason }: QuestionPart): string {
  if (decision === undefined) return "No answer came.";
  return reason ? `${decision}: ${reason}` : `${decision}.`;
}

function notice({ message, retryAt, open }: NoticePart): HTMLElement {
  if (!open) {
    // It is over, and what came of it stands below.
    const past = tag("p");
    past.hidden = true;
    return past;
  }
  const next = retryAt === undefined ? [] : [tag("p", `Next try: ${new Date(retryAt * 1000).toLocaleTimeString()}.`)];
  return article("The agent cannot answer now", tag("p", message), ...next);
}

function endText({ status, stop, error }: EndPart): string {
  const why = error?.message ?? stop?.message;
  return why ? `The turn is over (${status}): ${why}` : `The turn is over (${status}).`;
}

function asText(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content, null, 2);
}

function article(title: string, ...content: HTMLElement[]): HTMLElement {
  return tag("article", tag("h2", title), ...content);
}

/** An element with texts and elements in it. */
function tag<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...content: (string | HTMLElement)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.append(...content);
  return element;
}
