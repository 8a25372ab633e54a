import type { Servers } from "./servers.ts";
import { stateSentence } from "./state-text.ts";

/** Milliseconds after which a server that comes is late: the model may have worked without it. */
const late = 2000;

/**
 * Says in one line that a server goes, or comes late or again. What goes on, such as one that fails again and again, is said once.
 *
 * @param isChat whether slash commands can be typed, and a line is read at once
 */
export function tellNews(
  { onChange }: Pick<Servers, "onChange">,
  say: (line: string, kind: "note" | "warning") => void,
  { isChat }: { isChat: boolean },
): () => void {
  const startedAt = performance.now();
  const told = new Map<string, string>();
  return onChange((state) => {
    const { name, status } = state;
    if (status === "connecting" || status === "closed") return;
    const news = status === "ready" ? "ready" : status === "needs_login" ? "login" : "away";
    const before = told.get(name);
    told.set(name, news);
    if (news === before) return;
    if (news === "ready" && before === undefined && performance.now() - startedAt < late) return;
    say(stateSentence(state, isChat ? Date.now() : undefined), news === "ready" ? "note" : "warning");
  });
}
