import type { ToolChanges } from "@cogency/tools/host";

/** The tools of one run whose agent has sources, or whose client brings tools. */
export interface StepTools extends ToolChanges {
  /**
   * Lets the step that comes have what the sources and the client have now, and tells the model what has changed. The first time it waits until they are
   * ready.
   *
   * @param resumes whether the step goes on with open calls; the model is told after their results
   * @throws RunError `store`, `busy`, `not_stored`
   */
  take(resumes: boolean): Promise<void>;
}
