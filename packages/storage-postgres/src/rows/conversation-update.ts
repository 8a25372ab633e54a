import { quoteLiteral } from "../database/quote.ts";

/** The summary of a batch, each value as an SQL expression. */
export interface BatchSummary {
  added: string;
  /** A title that a person gave is marked by `givenTitle`. */
  title: string;
  createdAt: string;
  updatedAt: string;
}

/**
 * Marks a title that replaces the one before, by a line break, which no title holds. So programs of version 2, whose titles have no
 * mark, call the same function.
 */
export function givenTitle(title: string): string {
  return `\n${title}`;
}

/**
 * The SET list of an UPDATE that adds a batch to the conversation `c`, like `extendSummary`. A conversation at the top
 * of its user's list keeps its position, so that no index changes.
 *
 * @param schema the quoted name of the schema
 */
export function conversationUpdate(schema: string, { added, title, createdAt, updatedAt }: BatchSummary): string {
  return `events = c.events + ${added},
    title = CASE WHEN starts_with(${title}, E'\\n') THEN substr(${title}, 2) WHEN c.title = '' THEN ${title} ELSE c.title END,
    created_at = CASE WHEN c.events = 0 THEN ${createdAt} ELSE c.created_at END,
    updated_at = ${updatedAt},
    is_unindexed = true,
    position = CASE WHEN c.position IS NOT NULL AND NOT EXISTS (
        SELECT FROM ${schema}.conversations o WHERE o.user_key = c.user_key AND o.position > c.position
      ) THEN c.position ELSE nextval(${quoteLiteral(`${schema}.positions`)}) END`;
}
