import { cost, duration, grouped, percent } from "../conversation/format.ts";
import type { Entry, Step } from "../conversation/step.ts";
import { contextOf, modelOf } from "../conversation/totals.ts";
import { visible } from "../text.ts";
import type { PageContext } from "./page-context.ts";
import { requestView } from "./request-view.ts";
import { disclosure, tag } from "./tag.ts";

/** A step: what it cost, what it said and did, and on demand the request and the reply. Drawn again when it changes. */
export class StepView {
  readonly element = tag("section", { class: "step" });
  readonly #context: PageContext;
  readonly #head = tag("header", { class: "step-head" });
  #drawn: Step | undefined;

  constructor(context: PageContext) {
    this.#context = context;
    this.element.append(this.#head);
  }

  draw(step: Step, viewOf: (entry: Entry) => HTMLElement): void {
    if (step === this.#drawn) return;
    this.#drawn = step;
    this.element.id = `${this.#context.idOf(step.seq)}-step`;
    this.element.setAttribute("aria-label", `Step ${step.number}`);
    this.#drawHead(step);
    const views = step.entries.map(viewOf);
    const kept = new Set<Element>([this.#head, ...views]);
    for (const child of [...this.element.children]) if (!kept.has(child)) child.remove();
    for (const [i, view] of views.entries()) {
      const there = this.element.children[i + 1] ?? null;
      if (there !== view) this.element.insertBefore(view, there);
    }
  }

  #drawHead(step: Step): void {
    const wasOpen = this.#head.querySelector("details")?.open ?? false;
    const details = disclosure(["Request and reply"], () => requestView(step, this.#context), {
      class: "request",
      open: wasOpen,
    });
    this.#head.replaceChildren(
      tag("h3", {}, tag("a", { href: this.#context.hrefOf(step.seq) }, `Step ${step.number}`)),
      tag("span", { class: "model" }, visible(modelOf(step))),
      ...factsOf(step),
      details,
    );
    // A link to the record of the request leads here.
    this.#head.id = step.entries.some(({ seq }) => seq === step.seq) ? "" : this.#context.idOf(step.seq);
    if (this.#head.id === "") this.#head.removeAttribute("id");
  }
}

function factsOf(step: Step): HTMLElement[] {
  const { usage, begun, first, ended } = step;
  const facts: [text: string, title: string][] = [];
  if (ended !== undefined) facts.push([duration(ended - begun), "duration of the step"]);
  if (first !== undefined) facts.push([`first ${duration(first - begun)}`, "time to the first piece of the answer"]);
  if (usage) {
    const context = contextOf(step);
    facts.push([`${usage.estimated ? "≈ " : ""}${grouped(context)} in`, "tokens of the request"]);
    if (usage.cacheRead > 0) facts.push([`${percent(usage.cacheRead, context)} cached`, "read from the cache"]);
    facts.push([`${grouped(usage.output)} out`, "tokens of the answer"]);
    if (usage.cost !== undefined) facts.push([cost(usage.cost), "cost"]);
  }
  return facts.map(([text, title]) => tag("span", { class: "fact", title }, text));
}
