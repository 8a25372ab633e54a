import type { JsonObject } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import { asText } from "../conversation/search-text.ts";
import { revealed, visible } from "../text.ts";
import { touched } from "../touched.ts";
import { answerForm } from "./answer-form.ts";
import { approvalForm } from "./approval-form.ts";
import type { Actions, PageContext } from "./page-context.ts";
import { tag } from "./tag.ts";

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

function make(question: QuestionPart, ofCall: JsonObject, actions: Actions | undefined): HTMLElement {
  const { message, concerns, touches, asks, name, open, agents, args = ofCall } = question;
  const places = touched(touches);
  const asked = [
    tag(
      "p",
      { class: message?.includes("\n") ? "asked text" : "asked" },
      asks === "answer" ? visible(message ?? "The call asks something.") : `May ${revealed(name)} run?`,
    ),
    agents !== undefined && tag("p", { class: "fact" }, `The agent ${agents.map(revealed).join(" › ")} asks`),
    ...concerns.map(({ why }) => tag("p", { class: "concern" }, visible(why))),
    places.length > 0 && tag("p", { class: "fact" }, `It touches ${places.map(revealed).join("; ")}`),
  ];
  const isOfPerson = open && !question.client;
  if (isOfPerson && actions && asks === "approval") return approvalForm(question, args, asked, actions);
  if (isOfPerson && actions) return answerForm(question, asked, actions);
  return tag("div", {}, ...asked, tag("p", { class: `decision ${question.decision ?? ""}` }, decisionText(question)));
}

function decisionText({ decision, reason, answer, open, client }: QuestionPart): string {
  if (open) return client ? "The client has not answered yet." : "Nobody has answered yet.";
  if (decision === undefined) return "The call ended before anybody answered.";
  const said = decision === "answered" ? `Answered: ${asText(answer)}` : decision === "approved" ? "Allowed" : "Denied";
  return visible(reason ? `${said}: ${reason}` : said);
}
