import { defineTool, type Tool } from "@cogency/tools";

/** Repeats a text. Replace the input and the body by your own. */
export function parrot(): Tool {
  return defineTool({
    name: "parrot",
    description: "Repeats a text as often as asked.",
    input: {
      type: "object",
      properties: {
        text: { type: "string", description: "what to repeat" },
        times: { type: "integer", minimum: 1, maximum: 100, default: 1 },
      },
      required: ["text"],
    },
    annotations: { readOnlyHint: true },
    async execute({ text, times }, { signal, progress }) {
      const said: string[] = [];
      for (let turn = 1; turn <= times; turn++) {
        // The run was cancelled, or the time of the call is over.
        signal.throwIfAborted();
        progress({ said: turn, of: times });
        said.push(text);
      }
      return said.join(" ");
    },
  });
}

export default parrot;
