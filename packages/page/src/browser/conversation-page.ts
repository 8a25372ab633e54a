import { isDone, planOf, planText } from "@cogency/plan/log";
import { counted, excerpt } from "../conversation/format.ts";
import { visible } from "../text.ts";
import { callerView } from "./agent-view.ts";
import { BlocksView } from "./blocks-view.ts";
import { OpenView } from "./open-view.ts";
import { overviewView } from "./overview-view.ts";
import type { PageContext } from "./page-context.ts";
import { planView } from "./plan-view.ts";
import { searchField } from "./search.ts";
import { disclosure, reveal, tag } from "./tag.ts";
import { waterfallView } from "./waterfall-view.ts";

const filters = ["all", "calls", "problems"] as const;
const filterNames = { all: "All", calls: "Calls", problems: "Problems" };

/** One conversation with its overview, its times and the tools to look through it. */
export class ConversationPage {
  readonly bar = tag("div", { class: "row bar-tools" });
  readonly element = tag("div", { class: "conversation" });
  readonly #context: PageContext;
  readonly #view: BlocksView;
  readonly #open = new OpenView();
  readonly #overview = tag("section", { class: "overview", "aria-label": "Overview" });
  readonly #times = tag("div", { class: "times-body" });
  readonly #plan = tag("section", { class: "plan", "aria-label": "Plan", hidden: true });
  /** The call that wrote the plan which is shown. */
  #shownPlan: string | undefined;
  #openPlan: string | undefined;
  readonly #filter = tag("div", { class: "filter", role: "group", "aria-label": "Show" });

  constructor(context: PageContext) {
    this.#context = context;
    this.#view = new BlocksView(context);
    this.#filter.append(
      ...filters.map((filter) => {
        const element = tag(
          "button",
          { type: "button", "aria-pressed": "false", "data-filter": filter },
          filterNames[filter],
        );
        element.addEventListener("click", () => this.setFilter(filter));
        return element;
      }),
    );
    const field = searchField({
      entries: () => context.conversation.entries(),
      elementOf: (seq) => document.getElementById(context.idOf(seq)),
      show: (seq, takesFocus) => this.show(seq, takesFocus),
    });
    this.bar.append(field, this.#filter);
    // On a narrow screen the times would stand before everything else.
    const wide = matchMedia(context.actions ? "(min-width: 82rem)" : "(min-width: 68rem)");
    const times = disclosure([tag("h2", {}, "Time")], () => [this.#times], { open: wide.matches });
    wide.addEventListener("change", () => (wide.matches ? reveal(times) : undefined));
    this.element.append(
      this.#overview,
      tag("aside", { class: "times", "aria-label": "Plan, and steps and calls over time" }, this.#plan, times),
      tag("section", { class: "log", "aria-label": "Conversation" }, this.#view.element, this.#open.element),
    );
    this.setFilter("all");
  }

  /** What a person named the conversation, else what it began with. */
  get title(): string {
    const { title, parts } = this.#context.conversation;
    const first = parts.find((part) => part.type === "user" && part.origin === undefined);
    return visible(excerpt(title || (first?.type === "user" ? first.content : ""), 80));
  }

  draw(): void {
    const { conversation } = this.#context;
    this.#view.draw();
    this.drawOpen();
    this.#overview.replaceChildren(...callerView(this.#context), ...overviewView(conversation));
    this.#drawPlan();
    const steps = conversation.steps();
    this.#times.replaceChildren(
      ...(steps.length > mostTimed
        ? [tag("p", { class: "fact" }, `${counted(steps.length, "step")}: the times are in the table of the overview.`)]
        : waterfallView(conversation, this.#context)),
    );
  }

  /** Draws what a run is writing, and nothing else. */
  drawOpen(): void {
    this.#open.draw(this.#context.conversation.open);
  }

  /** Such as `Plan 2/5 · Run the tests`; undefined without a plan that is open. */
  get openPlan(): string | undefined {
    return this.#openPlan;
  }

  #drawPlan(): void {
    const plan = planOf(this.#context.conversation.events);
    if (plan?.call === this.#shownPlan) return;
    this.#shownPlan = plan?.call;
    this.#openPlan = plan === undefined || isDone(plan) ? undefined : visible(`Plan ${planText(plan)}`);
    const views = planView(plan);
    this.#plan.hidden = views.length === 0;
    this.#plan.replaceChildren(...views);
  }

  setFilter(filter: string): void {
    this.#view.element.dataset.filter = filter;
    for (const element of this.#filter.children)
      element.setAttribute("aria-pressed", String((element as HTMLElement).dataset.filter === filter));
  }

  /** Shows the entry of an event, or the last one before it if the event has none. */
  show(seq: number, takesFocus = true): void {
    const { conversation, idOf } = this.#context;
    const all = conversation.entries();
    const near = all.findLast((entry) => entry.seq <= seq) ?? all[0];
    const element = document.getElementById(idOf(seq)) ?? (near && document.getElementById(idOf(near.seq)));
    if (!element) return;
    if (!element.checkVisibility()) this.setFilter("all");
    const details = element.matches(".call") ? element.querySelector("details") : undefined;
    if (details) reveal(details);
    for (const shown of document.querySelectorAll(".shown")) shown.classList.remove("shown");
    element.classList.add("shown");
    element.tabIndex = -1;
    element.scrollIntoView({ block: "start" });
    if (takesFocus) element.focus({ preventScroll: true });
  }
}

/** More rows than a person reads, and more than a page draws quickly. */
const mostTimed = 2000;
