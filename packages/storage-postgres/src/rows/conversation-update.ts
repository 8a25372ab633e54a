import { quoteLiteral } from "../database/quote.ts";

/** What a batch adds to the row of its conversation, each as SQL. */
export interface BatchSummary {
  added: string;
  title: string;
  createdAt: string;
  updatedAt: string;
}

/**
 * What an UPDATE of the conversation `c` sets when a batch comes to it, as `extendSummary` has it. The first of a user's
 * list stays where it is, which leaves the indexes alone.
 *
 * @param schema its name as SQL writes it
 */
export function conversationUpdate(schema: string, { added, title, createdAt, updatedAt }: BatchSummary): string {
  return `events = c.events + ${added},
    title = CASE WHEN c.title = '' THEN ${title} ELSE c.title END,
    created_at = CASE WHEN c.events = 0 THEN ${createdAt} ELSE c.created_at END,
    updated_at = ${updatedAt},
    is_unindexed = true,
    position = CASE WHEN c.position IS NOT NULL AND NOT EXISTS (
        SELECT FROM ${schema}.conversations o WHERE o.user_key = c.user_key AND o.position > c.position
      ) THEN c.position ELSE nextval(${quoteLiteral(`${schema}.positions`)}) END`;
}
