import { jsonText } from "../text/json-text.ts";
import type { FormWriter } from "./form-writer.ts";
import { resultText } from "./result-text.ts";

/**
 * Thought, Action, Action Input; one Observation a call, in call order, each a user message. Several calls of one step
 * stand one after another. An answer is told without the thoughts before it.
 *
 * What a label says stands behind it or, if it has several lines, below it and indented, so that only a label of ours
 * begins a line: no tool output can pose as another observation or as somebody's words, nor thinking as an observation.
 * A line of somebody's words that begins like a label is indented for the same reason.
 */
export const reactForm: FormWriter = {
  said({ units, calls }) {
    const acts = calls.length > 0;
    const parts = [
      ...units.flatMap(({ type, content }) =>
        type === "respond" ? content : acts ? labelled("Thought", content) : [],
      ),
      ...calls.flatMap(({ name, args }) => [labelled("Action", name), labelled("Action Input", jsonText(args))]),
    ];
    return { role: "assistant", content: parts.join(acts ? "\n" : "\n\n") };
  },
  heard: (content) => content.replace(beginning, "$1  "),
  answers: (results) =>
    results.map((result) => {
      const { content, failed } = resultText(result);
      return { role: "user", content: labelled("Observation", failed ? `Error: ${content}` : content) };
    }),
};

/** The beginning of a line that could pass for one of ours. */
const beginning = /(^|[\n\r\v\f\x85\u2028\u2029])(?=[ \t]?(?:thought|action|observation))/gi;

function labelled(label: string, content: string): string {
  const lines = content.replace(/\r\n?|[\n\v\f\x85\u2028\u2029]/g, "$&  ");
  return `${label}:${lines === content ? " " : "\n  "}${lines}`;
}
