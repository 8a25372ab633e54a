/**
 * How conversations are exported: lines of JSON in UTF-8. Each conversation is a header, followed by its events in order,
 * each with its `seq` from 1 on.
 */
export interface ConversationHeader {
  type: "conversation";
  /** Of the format. */
  version: typeof exportVersion;
  conversation: string;
  /** Absent for the anonymous user. */
  user?: string;
  /** How many events follow. */
  events: number;
}

export const exportVersion = 1;
