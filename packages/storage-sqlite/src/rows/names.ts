import type { Key } from "@cogency/storage";

/** A key as JSON texts, the form of the tables (see schema/tables.ts). */
export interface KeyTexts {
  user: string;
  name: string;
}

export function keyTexts({ conversation, user }: Key): KeyTexts {
  return { user: userText(user), name: nameText(conversation) };
}

export function userText(user: string | undefined): string {
  return user === undefined ? "null" : JSON.stringify(user);
}

export function nameText(name: string): string {
  return JSON.stringify(name);
}

/** The scope of a conversation that has none. */
export const noScope = "null";

export function scopeText(scope: string | undefined): string {
  return scope === undefined ? noScope : JSON.stringify(scope);
}
