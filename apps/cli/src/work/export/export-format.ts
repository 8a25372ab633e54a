/**
 * The format of an export: lines of JSON in UTF-8. Each conversation is a header, followed by its events in order, whose
 * `seq` counts from 1.
 */
export interface ConversationHeader {
  type: "conversation";
  /** The version of the format. */
  version: typeof exportVersion;
  conversation: string;
  /** Absent for the anonymous user. */
  user?: string;
  /** How many events follow. */
  events: number;
}

export const exportVersion = 1;
