import { jsonText } from "../text/json-text.ts";
import { type FormWriter, userMessage } from "./form-writer.ts";
import { resultText } from "./result-text.ts";

/**
 * Thought, Action, Action Input; then one Observation for each call, in call order, each a user message. Several calls of
 * one step stand one after another. An answer is written without the thoughts before it.
 *
 * INVARIANT: only labels that this form writes begin a line. A text of one line stands behind its label, a text of
 * several lines below it and indented, and a user's line that begins like a label is indented. So no tool output can pose
 * as another observation or as a user's words, and no thinking as an observation.
 */
export const reactForm: FormWriter = {
  assistantMessage({ units, calls }) {
    const hasCalls = calls.length > 0;
    const parts = [
      ...units.flatMap(({ type, content }) =>
        type === "respond" ? content : hasCalls ? labelled("Thought", content) : [],
      ),
      ...calls.flatMap(({ name, args }) => [labelled("Action", name), labelled("Action Input", jsonText(args))]),
    ];
    return { role: "assistant", content: parts.join(hasCalls ? "\n" : "\n\n") };
  },
  hidesThinking: ({ calls }) => calls.length === 0,
  userContent: (content) => content.replace(labelLike, "$1  "),
  resultMessages: (results) =>
    results.map((result) => {
      const { content, failed, attachments } = resultText(result);
      return userMessage(labelled("Observation", failed ? `Error: ${content}` : content), attachments);
    }),
};

/** Matches the beginning of a line that could pass for a label. */
const labelLike = /(^|[\n\r\v\f\x85\u2028\u2029])(?=[ \t]?(?:thought|action|observation))/gi;

function labelled(label: string, content: string): string {
  const lines = content.replace(/\r\n?|[\n\v\f\x85\u2028\u2029]/g, "$&  ");
  return `${label}:${lines === content ? " " : "\n  "}${lines}`;
}
