/**
 * What a terminal wraps anew when its width changes: no row, as xterm itself; rows, except the one with the cursor, as xterm.js; or
 * all rows, as tmux.
 */
export type Reflow = "nothing" | "above the cursor" | "all";

/** What the terminal of this environment wraps anew. */
export function reflowOf({ TERM, TMUX, STY, XTERM_VERSION }: NodeJS.ProcessEnv): Reflow {
  if (TMUX) return "all";
  return STY || XTERM_VERSION || TERM === "linux" ? "nothing" : "above the cursor";
}
