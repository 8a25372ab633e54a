import type { Usage } from "@cogency/protocol";
import { addUsage } from "@cogency/server/bridge";
import type { AgUiEvent } from "../ag-ui-event.ts";

/** The steps of a run, named by their number in the conversation. */
export class Steps {
  /** Those of the conversation that have ended. */
  #ended = 0;
  #isOpen = false;
  #usage: Usage | undefined;

  /** What the steps of the run have used; undefined if none has ended. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** The steps so far were before the run. */
  forget(): void {
    this.#isOpen = false;
    this.#usage = undefined;
  }

  /** Something of a step comes. */
  begin(): AgUiEvent[] {
    if (this.#isOpen) return [];
    this.#isOpen = true;
    return [{ type: "STEP_STARTED", stepName: this.#name() }];
  }

  /** A step has ended with its calls. */
  end(usage: Usage): AgUiEvent[] {
    const events = this.close();
    this.#ended += 1;
    this.#usage = this.#usage ? addUsage(this.#usage, usage) : usage;
    return events;
  }

  /** Nothing more of an open step comes in this run. */
  close(): AgUiEvent[] {
    if (!this.#isOpen) return [];
    this.#isOpen = false;
    return [{ type: "STEP_FINISHED", stepName: this.#name() }];
  }

  #name(): string {
    return `step ${this.#ended + 1}`;
  }
}
