import type { JsonObject } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import { revealed, visible } from "../text.ts";
import { argumentsView } from "./arguments-view.ts";
import type { Actions, QuestionDetails } from "./page-context.ts";
import { button, tag } from "./tag.ts";

/**
 * A form for whether a call may run. Everything that will run is shown whole, and a yes can be given once its end has been on the
 * screen, and once the server has said what it knows of the call or that it cannot.
 */
export function approvalForm(
  question: QuestionPart,
  args: JsonObject,
  asked: readonly (HTMLElement | false)[],
  actions: Actions,
): HTMLElement {
  const facts = tag("div", { class: "facts" });
  const end = tag("div", { class: "end-of-call", "aria-hidden": "true" });
  const hint = tag("p", { class: "fact", id: `hint-${question.id}` }, "Read to the end of what will run to allow it.");
  const rules = tag("ul", { class: "rules", "aria-label": "Rules to keep" });
  const reason = tag("input", { type: "text", autocomplete: "off" });
  const state = tag("p", { class: "fact", role: "status" });
  const yes: HTMLButtonElement[] = [];
  const yesButton = (text: string, rule: string | undefined, attributes: Readonly<Record<string, string>> = {}) => {
    const press = () => send(() => actions.approve(question.id, rule));
    const made = button(text, press, { disabled: true, "aria-describedby": hint.id, ...attributes });
    yes.push(made);
    return made;
  };
  const allow = yesButton("Allow", undefined, { class: "main" });
  const deny = tag("button", { type: "submit" }, "Deny");
  const fields = tag(
    "fieldset",
    {},
    tag("legend", {}, "Your answer is needed"),
    ...asked,
    ...argumentsView(question.name, args, true),
    facts,
    end,
    hint,
    tag("div", { class: "row" }, allow, deny, tag("label", {}, "Why not? The model reads it. ", reason)),
    rules,
    state,
  );
  const form = tag("form", { "aria-label": `Question about ${revealed(question.name)}` }, fields);

  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      hint.remove();
      for (const one of yes) {
        one.disabled = false;
        one.removeAttribute("aria-describedby");
      }
    },
    // What stands behind the box for messages is not on the screen.
    { rootMargin: "0px 0px -150px 0px" },
  );
  const show = (details: QuestionDetails) => {
    facts.replaceChildren(factsView(details.facts));
    rules.append(
      ...details.rules.map(({ text, file }) =>
        tag(
          "li",
          {},
          yesButton("Always", text, { "aria-label": `Always: ${revealed(text)}` }),
          tag("span", {}, "Yes, and from now on without a question: ", tag("code", {}, revealed(text))),
          tag("span", { class: "fact" }, `a rule in ${revealed(file)}`),
        ),
      ),
    );
  };
  actions
    .about(question.id)
    .then(show, (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      facts.replaceChildren(
        tag("p", { class: "fact" }, `What else is known of this call cannot be read: ${visible(why)}`),
      );
    })
    .finally(() => seen.observe(end));

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

function factsView(facts: QuestionDetails["facts"]): HTMLElement {
  const rows = facts.flatMap(({ name, lines }) => [
    tag("dt", {}, revealed(name)),
    tag("dd", {}, tag("ol", {}, ...lines.map((line) => tag("li", {}, tag("code", {}, revealed(line)))))),
  ]);
  return tag("dl", { class: "arguments" }, ...rows);
}
