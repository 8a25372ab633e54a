/** A message of a request, as far as a scripted model reads it. */
export interface Said {
  readonly by: "user" | "tool";
  readonly text: string;
}

/** A tool as a request offers it. */
export interface OfferedTool {
  readonly name: string;
  /** The names of its arguments. */
  readonly takes: readonly string[];
}

/** A request of a program to its model, read the same way from every wire. */
export interface Conversation {
  /** None: it is a side request, such as one for a title. */
  readonly tools: readonly OfferedTool[];
  /** What the user and the tools said, in order. */
  readonly said: readonly Said[];
}

/** The text of a content that is a string, or a list of parts with texts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return content.map((part: { text?: string }) => part.text ?? "").join("\n");
}

/** A tool by its name and the JSON Schema of its arguments. */
export function offered(name = "", schema?: { properties?: object }): OfferedTool {
  return { name, takes: Object.keys(schema?.properties ?? {}) };
}
