import type { Block, Entry } from "../conversation/step.ts";
import { entryView } from "./entry-view.ts";
import type { PageContext } from "./page-context.ts";
import { StepView } from "./step-view.ts";
import { tag } from "./tag.ts";

/** The conversation, block by block. Draws only what has changed. */
export class BlocksView {
  readonly element = tag("div", { class: "blocks" });
  readonly #context: PageContext;
  readonly #drawn: Block[] = [];
  readonly #views: (HTMLElement | StepView)[] = [];
  readonly #entries = new WeakMap<Entry, HTMLElement>();

  constructor(context: PageContext) {
    this.#context = context;
  }

  draw(): void {
    const news = document.createDocumentFragment();
    for (const [at, block] of this.#context.conversation.blocks.entries()) {
      if (this.#drawn[at] === block) continue;
      this.#drawn[at] = block;
      const view = this.#views[at];
      if (block.type === "entry") {
        const element = this.viewOf(block.entry);
        if (view instanceof HTMLElement) view.replaceWith(element);
        else news.append(element);
        this.#views[at] = element;
      } else {
        const step = view instanceof StepView ? view : new StepView(this.#context);
        step.draw(block.step, (entry) => this.viewOf(entry));
        if (!view) news.append(step.element);
        this.#views[at] = step;
      }
    }
    this.element.append(news);
  }

  viewOf(entry: Entry): HTMLElement {
    let element = this.#entries.get(entry);
    if (!element) {
      element = entryView(entry, this.#context);
      this.#entries.set(entry, element);
    }
    return element;
  }
}
