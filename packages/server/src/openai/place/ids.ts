/** Letters and digits of the names of conversations that requests begin: 95 bits of chance, short enough for ids of calls. */
const nameLength = 16;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A new name, for a conversation or a message. */
export function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4 * nameLength));
  // A byte of 248 or more would make the first characters likelier. So many in a row do not happen.
  const fair = [...bytes].filter((byte) => byte < 248).slice(0, nameLength);
  return fair.map((byte) => alphabet.charAt(byte % alphabet.length)).join("");
}

/** A call of a conversation, or a question of it, as an id on the wire names it. `conversation` is absent if the request must name it. */
export interface Named {
  readonly conversation?: string;
  readonly id: string;
}

/**
 * The id of a call on the wire, 1 to 40 characters of `[A-Za-z0-9_-]`. It names the conversation, too, if that has a name of ours: a client
 * that sends the result needs to know nothing else.
 */
export function wireCallId(conversation: string, call: string): string {
  return isOurs(conversation) && /^call_[A-Za-z0-9]{20}$/.test(call) ? `${conversation}_${call.slice(5)}` : call;
}

export function readCallId(id: string): Named {
  const [, conversation, call] = /^([A-Za-z0-9]{16})_([A-Za-z0-9]{20})$/.exec(id) ?? [];
  return conversation === undefined ? { id } : { conversation, id: `call_${call}` };
}

/** The id of an item of a response that is a unit of the log, such as a message. It names the conversation as the id of a call does. */
export function wireUnitId(conversation: string, unit: string): string {
  const id = unit.replaceAll(/[^\w-]/g, "_");
  return isOurs(conversation) ? `${conversation}_${id}` : id;
}

/** Whether the id of an item, such as `msg_…`, is that of a unit of the conversation. */
export function isUnitId(id: string, conversation: string, unit: string): boolean {
  return id.replace(/^[a-z]+_/, "") === wireUnitId(conversation, unit);
}

/** The conversation that the id of a message or call names; undefined if it names none. */
export function conversationOfItem(id: string): string | undefined {
  return /^(?:msg|fc)_([A-Za-z0-9]{16})_/.exec(id)?.[1];
}

/** The id of a question for approval on the wire. */
export function wireApprovalId(conversation: string, question: string): string {
  return isOurs(conversation) ? `mcpr_${conversation}_${question}` : `mcpr_${question}`;
}

/** Undefined for an id that is none of ours. */
export function readApprovalId(text: string): Named | undefined {
  const [, conversation, id] = /^mcpr_(?:([A-Za-z0-9]{16})_)?(.{1,200})$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  return conversation === undefined ? { id } : { conversation, id };
}

/** Where a response stands: a conversation, and the id of the first message of the inbox that the request posted. */
export interface ResponsePlace {
  readonly conversation: string;
  readonly message: string;
}

/** The id of a response holds where it stands, so that nothing is kept beside the log. */
export function responseId({ conversation, message }: ResponsePlace): string {
  const bytes = new TextEncoder().encode(`${message}.${conversation}`);
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `resp_${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Undefined for a text that is no id of a response of ours. */
export function readResponseId(id: string): ResponsePlace | undefined {
  const [, text] = /^resp_([\w-]{1,3000})$/.exec(id) ?? [];
  if (text === undefined) return undefined;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const decoded = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const [, message, conversation] = /^([A-Za-z0-9]{16})\.(.+)$/s.exec(decoded) ?? [];
    return message === undefined || conversation === undefined ? undefined : { message, conversation };
  } catch {
    return undefined;
  }
}

/** The ids of the messages that a request posts: of the first, and of those after it. */
export function messageIds(message: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? message : `${message}.${index}`));
}

/** Whether the id of a message is one of the request whose first message has the id `message`. */
export function isOfRequest(id: string, message: string): boolean {
  return id === message || id.startsWith(`${message}.`);
}

function isOurs(conversation: string): boolean {
  return /^[A-Za-z0-9]{16}$/.test(conversation);
}
