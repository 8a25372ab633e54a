import type { RunEvent } from "@cogency/protocol";

/** Tells what a run does, a sentence at each step and each call. Arguments and results stay in the conversation. */
export function runProgress(tell: (message: string) => void): (event: RunEvent) => void {
  return (event) => {
    switch (event.type) {
      case "step_started":
        return tell(`Step ${event.run.step}`);
      case "tool_started":
        return tell(`${event.name} runs.`);
      case "tool_ended":
        return tell(`${event.result.tool} ended: ${event.outcome}.`);
      case "request_retried":
        return tell("The model is asked again.");
    }
  };
}
