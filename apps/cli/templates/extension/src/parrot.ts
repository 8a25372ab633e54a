import type { Extension } from "@cogency/extensions";
import { defineTool } from "@cogency/tools";

/** What the configuration may say: {"use": "cogency-extension-parrot", "options": {"times": 3}}. */
export interface ParrotOptions {
  /** How often the parrot repeats a text. Defaults to 2. */
  times?: number;
}

/** A tool, a hook, a skill and a command that belong together. Leave out what you do not need. */
export function parrot({ times = 2 }: ParrotOptions = {}): Extension {
  if (!Number.isInteger(times) || times < 1) throw new RangeError("options.times has to be a whole number from 1 up.");
  return {
    tools: [
      defineTool({
        name: "parrot",
        description: `Repeats a text ${times} times.`,
        input: {
          type: "object",
          properties: { text: { type: "string", description: "what to repeat" } },
          required: ["text"],
        },
        annotations: { readOnlyHint: true },
        execute: ({ text }) => Array(times).fill(text).join(" "),
      }),
    ],
    hooks: [
      {
        name: "parrot",
        // Called before each call of any tool, also of those that are built in.
        beforeToolUse({ call }) {
          const isRude = call.name === "parrot" && String(call.args.text).includes("crackers");
          return isRude ? { block: "The parrot has had enough crackers. Repeat something else." } : undefined;
        },
      },
    ],
    skills: [
      {
        name: "repeating",
        description: "How to talk to the parrot. Use it when somebody wants something repeated.",
        text: "Ask the tool parrot, and show what it says word for word.",
      },
    ],
    commands: [
      {
        name: "repeat",
        description: "let the parrot say something",
        argumentHint: "<text>",
        text: "Let the parrot repeat this: $ARGUMENTS",
      },
    ],
  };
}

export default parrot;
