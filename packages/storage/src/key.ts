/**
 * The name of one conversation. Both parts may be any string, and two different keys always name two logs.
 * Without `user` the conversation belongs to the one anonymous user of the store, who is not the user `""`.
 */
export interface Key {
  conversation: string;
  user?: string | undefined;
}
