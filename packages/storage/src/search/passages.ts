import { type LogEvent, parseResults } from "@cogency/protocol";

/** One message, or the result of one tool. */
export interface Passage {
  who: "user" | "assistant" | "tool";
  /** The name of the tool, if a tool returned the text. */
  tool?: string;
  text: string;
}

/** The types of events that contain passages. A search needs to load no others. */
export const passageTypes: readonly LogEvent["type"][] = ["user", "respond", "result"];

/**
 * The messages of the person and the assistant and the results of tools, in order. Leaves out user events that the
 * framework wrote, and results of the tool `recall`, which repeat other conversations.
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
