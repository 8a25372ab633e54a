import { type LogEvent, parseResults } from "@cogency/protocol";

/** One thing that was said, or that a tool returned. */
export interface Passage {
  who: "user" | "assistant" | "tool";
  /** The name of the tool. */
  tool?: string;
  text: string;
}

/** The types of events that hold passages, for loading no others. */
export const passageTypes: readonly LogEvent["type"][] = ["user", "respond", "result"];

/**
 * What the person and the assistant said and what tools returned, in order. Leaves out what the framework said in the
 * person's place, and what the tool `recall` returned: that was said elsewhere.
 */
export function passagesOf(event: LogEvent): Passage[] {
  switch (event.type) {
    case "user":
      return event.origin === undefined ? [{ who: "user", text: event.content }] : [];
    case "respond":
      return [{ who: "assistant", text: event.content }];
    case "result":
      return (parseResults(event.content) ?? [])
        .filter(({ tool }) => tool !== "recall")
        .map(({ tool, content }) => ({
          who: "tool",
          tool,
          text: typeof content === "string" ? content : JSON.stringify(content),
        }));
    default:
      return [];
  }
}
