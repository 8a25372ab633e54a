import type { JsonObject } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import { asText } from "../conversation/search-text.ts";
import { revealed, visible } from "../text.ts";
import { touched } from "../touched.ts";
import { answerForm } from "./answer-form.ts";
import { argumentsView } from "./arguments-view.ts";
import type { Actions, PageContext } from "./page-context.ts";
import { button, tag } from "./tag.ts";

const made = new WeakMap<QuestionPart, HTMLElement>();

/** What was asked, with its answer; or a form, where a person can answer here. A form that is typed into stays the same element. */
export function questionView(question: QuestionPart, args: JsonObject, { actions }: PageContext): HTMLElement {
  let element = made.get(question);
  if (!element) {
    element = make(question, args, actions);
    element.classList.add("question");
    made.set(question, element);
  }
  return element;
}

function make(question: QuestionPart, args: JsonObject, actions: Actions | undefined): HTMLElement {
  const { message, concerns, touches, asks, name, open } = question;
  const places = touched(touches);
  const asked = [
    tag(
      "p",
      { class: "asked" },
      asks === "answer" ? visible(message ?? "The call asks something.") : `May ${revealed(name)} run?`,
    ),
    ...concerns.map(({ why }) => tag("p", { class: "concern" }, visible(why))),
    places.length > 0 && tag("p", { class: "fact" }, `It touches ${places.map(revealed).join("; ")}`),
  ];
  if (open && actions && asks === "approval") return approvalForm(question, args, asked, actions);
  if (open && actions) return answerForm(question, asked, actions);
  return tag("div", {}, ...asked, tag("p", { class: `decision ${question.decision ?? ""}` }, decisionText(question)));
}

/** Everything that will run is shown whole, and "Allow" can be pressed once its end has been on the screen. */
function approvalForm(
  question: QuestionPart,
  args: JsonObject,
  asked: readonly (HTMLElement | false)[],
  actions: Actions,
): HTMLElement {
  const hint = tag("p", { class: "fact", id: `hint-${question.id}` }, "Read to the end of what will run to allow it.");
  const end = tag("div", { class: "end-of-call", "aria-hidden": "true" });
  const reason = tag("input", { type: "text", autocomplete: "off" });
  const allow = button("Allow", () => send(() => actions.approve(question.id)), {
    class: "main",
    disabled: true,
    "aria-describedby": hint.id,
  });
  const deny = tag("button", { type: "submit" }, "Deny");
  const state = tag("p", { class: "fact", role: "status" });
  const fields = tag(
    "fieldset",
    {},
    tag("legend", {}, "Your answer is needed"),
    ...asked,
    ...argumentsView(question.name, args, true),
    end,
    hint,
    tag("div", { class: "row" }, allow, deny, tag("label", {}, "Why not? The model reads it. ", reason)),
    state,
  );
  const form = tag("form", { "aria-label": `Question about ${revealed(question.name)}` }, fields);
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      allow.disabled = false;
      allow.removeAttribute("aria-describedby");
      hint.remove();
    },
    // What stands behind the box for messages is not on the screen.
    { rootMargin: "0px 0px -150px 0px" },
  );
  seen.observe(end);

  const send = async (post: () => Promise<boolean>) => {
    fields.disabled = true;
    state.textContent = "Sending…";
    const wasSent = await post();
    // The log brings what becomes of it, and another element takes the place of this one.
    fields.disabled = wasSent;
    state.textContent = wasSent ? "Sent." : "Not sent.";
  };
  // Enter after a reason must never become a yes.
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(() => actions.deny(question.id, reason.value.trim()));
  });
  return form;
}

function decisionText({ decision, reason, answer, open }: QuestionPart): string {
  if (open) return "Nobody has answered yet.";
  if (decision === undefined) return "The call ended before anybody answered.";
  const said = decision === "answered" ? `Answered: ${asText(answer)}` : decision === "approved" ? "Allowed" : "Denied";
  return visible(reason ? `${said}: ${reason}` : said);
}
