import type { JsonObject, ToolCall, ToolResult } from "@cogency/protocol";

/** The calls in a message of the model in the form of ReAct. */
export function actionsIn(content: string): ToolCall[] {
  const fields = fieldsIn(content);
  return fields.flatMap(({ label, text }, index) => {
    const input = fields[index + 1];
    return label === "Action" && input?.label === "Action Input" ? [{ name: text, args: argsOf(input.text) }] : [];
  });
}

/** The answer in a message of the model; empty in one with calls. */
export function answerIn(content: string): string {
  return actionsIn(content).length > 0 ? "" : content;
}

/** What an observation says; undefined for a text that is none. */
export function observationIn(text: string): Pick<ToolResult, "status" | "content"> | undefined {
  const [field] = fieldsIn(text);
  if (field?.label !== "Observation") return undefined;
  const failure = /^Error: (.*)$/s.exec(field.text)?.[1];
  return failure === undefined ? { status: "success", content: field.text } : { status: "failure", content: failure };
}

interface Field {
  label: string;
  text: string;
}

/** A text of one line stands behind its label, one of several lines below it and indented by two spaces. */
function fieldsIn(content: string): Field[] {
  const fields: Field[] = [];
  for (const line of content.split("\n")) {
    const label = /^(Thought|Action Input|Action|Observation):(?: (.*)|$)/.exec(line);
    if (label) fields.push({ label: label[1] ?? "", text: label[2] ?? "" });
    else {
      const last = fields.at(-1);
      if (last) last.text += (last.text === "" ? "" : "\n") + line.replace(/^ {2}/, "");
    }
  }
  return fields;
}

function argsOf(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}
