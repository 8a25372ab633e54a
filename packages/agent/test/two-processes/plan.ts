/** When the sender cancels the run of a prompt. */
export type CancelTime =
  /** As soon as the prompt was taken. */
  | "taken"
  /** Once the run waits for answers, instead of answering. */
  | "asked"
  /** After the first answer. */
  | "half"
  /** After the last answer. */
  | "answered"
  /** When the run has ended. */
  | "late";

/** What the sender does about one prompt, which orders payments. */
export interface Plan {
  /** The answer to the question of each payment. The last question is answered first. */
  verdicts: readonly ("approve" | "deny")[];
  /** Whether each answer waits until the one before was taken. */
  isSlow: boolean;
  /** Whether each answer is followed by the opposite one, which comes too late. */
  isTakenBack: boolean;
  /** Whether the sender steers in the middle of the run. */
  steers: boolean;
  cancel: CancelTime | undefined;
}

/** The prompts of one conversation, in order. */
export type Talk = readonly Plan[];

/** A message of the sender, as its journal has it before it is posted. */
export interface Sending {
  conversation: string;
  id: string;
  message: SentMessage;
}

export type SentMessage =
  | { kind: "prompt" | "steer"; content: string }
  | { kind: "approve" | "deny"; question: string; reason: string }
  | { kind: "cancel"; reason: string };

export function conversationOf(talk: number): string {
  return `talk-${talk}`;
}

/** What is paid: one call of the prompt `index`. */
export function paymentOf(conversation: string, index: number, part: number): string {
  return `${conversation}/${index}/${part}`;
}

export function promptOf(conversation: string, index: number, { verdicts }: Plan): string {
  return `Pay ${verdicts.length} parts of ${conversation}/${index}.`;
}

export function steerOf(index: number): string {
  return `Be careful with ${index}.`;
}

/** Why a payment is denied. */
export function reasonOf(payment: string): string {
  return `${payment} is not due`;
}

/** The last prompt of every conversation. It orders nothing, and is posted when nothing else is under way. */
export const farewell = { id: "farewell", content: "That is all." } as const;
