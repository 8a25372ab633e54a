import type { ToolContext } from "@cogency/tools";

/** Tokens that servers may use in one run: since the last message of the user in its conversation. */
export interface TokenBudget {
  /** How many are left. */
  left(context: TokenSpender): number;
  spend(context: TokenSpender, tokens: number): void;
}

type TokenSpender = Pick<ToolContext, "conversation" | "user" | "state">;

export function tokenBudget(most: number): TokenBudget {
  const spent = new Map<string, { readonly turn: number; readonly tokens: number }>();
  const tokensOf = (context: TokenSpender) => {
    const known = spent.get(keyOf(context));
    return known?.turn === turnOf(context) ? known.tokens : 0;
  };
  return {
    left: (context) => Math.max(0, most - tokensOf(context)),
    spend(context, tokens) {
      const key = keyOf(context);
      const all = { turn: turnOf(context), tokens: tokensOf(context) + tokens };
      spent.delete(key);
      spent.set(key, all);
      const [oldest] = spent.keys();
      if (spent.size > mostConversations && oldest !== undefined) spent.delete(oldest);
    },
  };
}

const mostConversations = 1000;

function keyOf({ conversation, user }: TokenSpender): string {
  return JSON.stringify([user ?? null, conversation]);
}

function turnOf({ state }: TokenSpender): number {
  return state.events.filter(({ type }) => type === "user").length;
}
