import type { Rules } from "../gbnf/rules.ts";

/** White space between two tokens: none, a space, or a line break with what indents the next line. */
export function layout(rules: Rules): string {
  return rules.share("ws", '"" | " " | "\\n" [ \\t]{0,20}');
}
