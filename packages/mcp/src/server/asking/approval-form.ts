import type { JsonObject } from "@cogency/protocol";
import type { ApprovalAnswer, Concern } from "@cogency/tools";
import type { InputAsked, Reading } from "./client-inputs.ts";
import { shownText } from "./shown-text.ts";

/** What a person is asked about one call. */
export interface CallShown {
  readonly name: string;
  readonly args: JsonObject;
  readonly concerns: readonly Concern[];
  readonly touches: readonly string[];
  readonly agents?: readonly string[] | undefined;
}

/** Characters that a person is shown at most: a call that is longer cannot be approved. */
const longestShown = 32_768;

/** The question as a form, whole; undefined if the call is too long to be shown. */
export function approvalForm(call: CallShown): InputAsked<ApprovalAnswer> | undefined {
  const message = questionText(call);
  if (message.length > longestShown) return undefined;
  return {
    method: "elicitation/create",
    params: { mode: "form", message, requestedSchema: form },
    isBinding: true,
    read: readAnswer,
  };
}

function questionText({ name, args, concerns, touches, agents = [] }: CallShown): string {
  const by = agents.length > 0 ? ` (asked by ${agents.join(" > ")})` : "";
  const lines = [`May ${name} run${by}?`, "", JSON.stringify(args, undefined, 2)];
  if (touches.length > 0) lines.push("", "It touches:", ...touches.map((one) => `- ${one}`));
  if (concerns.length > 0) lines.push("", "Why it asks:", ...concerns.map(({ why }) => `- ${why}`));
  return shownText(lines.join("\n"));
}

const form: JsonObject = {
  type: "object",
  properties: {
    decision: { type: "string", title: "Decision", enum: ["approve", "deny"] },
    reason: { type: "string", title: "Reason", description: "The model reads it." },
  },
  required: ["decision"],
};

/** Only an accepted form with the decision to approve approves. */
function readAnswer(answer: unknown): Reading<ApprovalAnswer> {
  const { action, content } = (answer ?? {}) as {
    action?: unknown;
    content?: { decision?: unknown; reason?: unknown };
  };
  const reason =
    typeof content?.reason === "string" && content.reason !== "" ? { reason: content.reason.slice(0, 2000) } : {};
  if (action === "accept" && content?.decision === "approve") return { value: { approved: true, ...reason } };
  if (action === "accept" && content?.decision !== "deny")
    return { problem: "`decision` is neither approve nor deny." };
  if (action === "accept") return { value: { approved: false, ...reason } };
  if (action === "decline") return { value: { approved: false, reason: "The person declined to answer." } };
  if (action === "cancel") return { value: { approved: false, reason: "The person closed the question." } };
  return { problem: "`action` is neither accept nor decline nor cancel." };
}
