import type { ToolContext } from "@cogency/tools";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { addressQuestion } from "./address-question.ts";
import { type Asked, askPerson } from "./ask-person.ts";
import { asksSecret } from "./asks-secret.ts";
import { fieldsOf } from "./fields-of.ts";
import { formSchema } from "./form-schema.ts";
import { quoted } from "./quoted.ts";

/** Who asks, in which call, and where it is told what was not put to the person. */
export interface Elicitation {
  readonly server: string;
  /** Undefined where no call is in flight: then nobody is asked. */
  readonly context: Pick<ToolContext, "ask" | "signal"> | undefined;
  readonly log: (text: string) => void;
}

/**
 * Answers an `elicitation/create` of a server: what the person says, or that it was declined.
 *
 * @param params as the server sent them
 * @throws ToolError `left` or `cancelled`: the call does not go on here
 */
export async function answerElicitation(params: unknown, elicitation: Elicitation): Promise<ElicitResult> {
  const { mode = "form", message, requestedSchema, url } = fieldsOf(params);
  const text = typeof message === "string" ? message : "";
  if (!elicitation.context) return declined(elicitation, "no call of it is in flight");
  if (mode === "form") return answerForm(text, requestedSchema, elicitation.context, elicitation);
  if (mode === "url") return answerAddress(text, url, elicitation.context, elicitation);
  return declined(elicitation, "its mode is neither form nor url");
}

async function answerForm(
  message: string,
  requested: unknown,
  context: NonNullable<Elicitation["context"]>,
  elicitation: Elicitation,
): Promise<ElicitResult> {
  const form = formSchema(requested);
  if ("problem" in form) return declined(elicitation, form.problem);
  const secret = asksSecret(message, requested);
  if (secret) return declined(elicitation, `${secret} asks for a secret`);
  const isEmpty = Object.keys(form.schema.properties).length === 0;
  const schema = isEmpty ? { type: "string", enum: ["accept", "decline"] } : form.schema;
  const asked = await askPerson(context, { message: formQuestion(elicitation.server, message), schema });
  if ("refused" in asked) return refusedBy(asked, elicitation);
  if (isEmpty) return asked.answer === "accept" ? { action: "accept", content: {} } : { action: "decline" };
  return { action: "accept", content: { ...(asked.answer as Record<string, string>) } };
}

function formQuestion(server: string, message: string): string {
  return [
    `The server ${JSON.stringify(server)} asks:`,
    quoted(message, longestMessage),
    `Your answer goes to this server, and is kept in the conversation. Give it no password and no key.`,
  ].join("\n\n");
}

async function answerAddress(
  message: string,
  url: unknown,
  context: NonNullable<Elicitation["context"]>,
  elicitation: Elicitation,
): Promise<ElicitResult> {
  const question = addressQuestion(elicitation.server, quoted(message, longestMessage), url);
  if ("problem" in question) return declined(elicitation, question.problem);
  const asked = await askPerson(context, question);
  if ("refused" in asked) return refusedBy(asked, elicitation);
  return { action: asked.answer === "done" ? "accept" : "decline" };
}

function refusedBy({ refused, because }: Extract<Asked, { refused: string }>, { log }: Elicitation): ElicitResult {
  log(`A question was answered with ${refused}: ${because}.`);
  return { action: refused };
}

function declined({ log }: Elicitation, because: string): ElicitResult {
  log(`A question was declined, and not put to the person: ${because}.`);
  return { action: "decline" };
}

/** Characters. */
const longestMessage = 2000;
