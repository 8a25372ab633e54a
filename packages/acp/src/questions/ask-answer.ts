import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Json } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import type { Wire } from "../connection/wire.ts";
import { shownText } from "../out/content-blocks.ts";
import { visibleLine, visibleText } from "../out/visible-text.ts";
import { choicesOf, formOf } from "./form.ts";

interface Asking {
  wire: Wire;
  hasForms: boolean;
  toolCall: ToolCallUpdate;
  signal: AbortSignal;
}

/**
 * Puts the question of a tool to the person: as a form, where the editor has forms and the answer fits one, otherwise as a choice among its
 * answers. Undefined if the person does not answer, or the editor cannot ask it.
 */
export async function askAnswer(part: QuestionPart, asking: Asking): Promise<{ answer: Json } | undefined> {
  const form = asking.hasForms ? formOf(part.schema) : undefined;
  return form ? askForm(part, form, asking) : askChoice(part, asking);
}

async function askForm(
  { call, name, message }: QuestionPart,
  { properties, required, answerOf }: NonNullable<ReturnType<typeof formOf>>,
  { wire, signal }: Asking,
): Promise<{ answer: Json } | undefined> {
  const response = await wire.form(
    {
      message: visibleText(message ?? `${name} asks:`),
      requestedSchema: { type: "object", properties, required },
      toolCallId: call,
    },
    signal,
  );
  if (response.action !== "accept") return undefined;
  const content = "content" in response ? response.content : undefined;
  return { answer: answerOf((content ?? {}) as Readonly<Record<string, Json>>) };
}

async function askChoice({ schema, name, message }: QuestionPart, { wire, toolCall, signal }: Asking) {
  const choices = choicesOf(schema);
  if (!choices) return undefined;
  const title = visibleLine(message ?? `${name} asks`, 500);
  const content = [...(toolCall.content ?? []), shownText(message ?? `${name} asks:`)];
  const { outcome } = await wire.permission(
    {
      toolCall: { ...toolCall, title, content },
      options: [...choices.options, { optionId: "decline", name: "Do not answer", kind: "reject_once" }],
    },
    signal,
  );
  if (outcome.outcome !== "selected") return undefined;
  const at = choices.options.findIndex(({ optionId }) => optionId === outcome.optionId);
  return at < 0 ? undefined : { answer: choices.answers[at] as Json };
}
