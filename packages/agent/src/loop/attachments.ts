import type { Attachment, ModelMessage } from "@cogency/protocol";
import { attachmentsOf, type ModelRequest } from "@cogency/provider";
import { attachmentBytes } from "@cogency/tools/host";
import { RunError } from "../errors.ts";
import type { Settings } from "../settings.ts";

type Accepted = Pick<Settings, "attachments" | "provider">;

/** The attachments of the requests of a run. A message that the request before had already is not read again. */
export class RequestAttachments {
  /** How many messages were read that later requests begin with, if they begin alike. */
  #count = 0;
  /** The last of them. */
  #last: ModelMessage | undefined;
  /** Their attachments. */
  #held: Attachment[] = [];

  /**
   * Refuses a request with attachments that the model does not take, before it is made.
   *
   * @throws RunError `attachments`
   */
  check(bounds: Accepted, { messages }: Pick<ModelRequest, "messages">): void {
    // Messages of turns that are over are the same objects in every request (see `Assembler`).
    if (messages[this.#count - 1] !== this.#last) [this.#count, this.#last, this.#held] = [0, undefined, []];
    const lasting = Math.max(this.#count, messages.length - longestTurn);
    this.#held.push(...messages.slice(this.#count, lasting).flatMap(attachmentsOf));
    [this.#count, this.#last] = [lasting, messages[lasting - 1]];
    const held = [...this.#held, ...messages.slice(lasting).flatMap(attachmentsOf)];
    check(bounds, held, "Go on with a model that does, or begin another conversation.");
  }
}

/** Messages at the end of a request that may be made anew for the next one. Of a turn that has more, all messages are read again. */
const longestTurn = 4;

/**
 * Refuses a prompt before it is stored: afterwards every request of the conversation would hold its attachments.
 *
 * @param shown the messages that requests show of the conversation before it
 * @throws RunError `attachments`
 */
export function checkPrompt(
  bounds: Accepted,
  shown: () => readonly ModelMessage[],
  attachments: readonly Attachment[] = [],
): void {
  if (attachments.length === 0) return;
  check(bounds, attachments, "Nothing was stored. Leave it out, or give the agent a model that takes it.");
  check(bounds, [...shown().flatMap(attachmentsOf), ...attachments], "Nothing was stored. Begin another conversation.");
}

function check({ attachments: bounds, provider }: Accepted, held: readonly Attachment[], advice: string): void {
  if (held.length === 0) return;
  const { kinds, maxRequestBytes } = bounds;
  const wrong = held.find(({ kind }) => !kinds.includes(kind));
  if (wrong) {
    const { kind, mediaType, name } = wrong;
    const what = `an attachment of the kind ${kind} (${name ?? mediaType})`;
    const taken = kinds.length === 0 ? "no attachments" : `only ${kinds.join(" and ")}`;
    throw refusal(`The conversation holds ${what}, and ${provider.name} ${provider.model} takes ${taken}. ${advice}`);
  }
  const bytes = held.reduce((sum, attachment) => sum + attachmentBytes(attachment), 0);
  if (bytes <= maxRequestBytes) return;
  const most = `a request may have ${maxRequestBytes} (\`attachments.maxRequestBytes\`)`;
  throw refusal(`The attachments of the conversation have ${bytes} bytes, and ${most}. ${advice}`);
}

function refusal(message: string): RunError {
  return new RunError("attachments", message);
}
