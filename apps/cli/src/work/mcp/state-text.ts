import { counted, oneLine } from "../../base/terminal/text.ts";
import type { ServerView } from "./servers.ts";

/**
 * `ready, 12 tools` or `failed: …`, for a person.
 *
 * @param now the time, where it goes on and is tried again
 */
export function stateText(view: ServerView, now?: number): string {
  switch (view.status) {
    case "ready":
      return [`ready, ${counted(view.tools.length, "tool")}`, ...more(view)].join(", ");
    case "disabled":
      return "switched off in the configuration";
    case "needs_login":
      return `needs a login: cogency mcp login ${view.name}`;
    default:
      return `${words[view.status]}${reasonOf(view)}${againAt(view, now)}`;
  }
}

const words = { connecting: "connecting", waiting: "away", failed: "failed", closed: "closed" } as const;

function more({ prompts, resources }: ServerView): string[] {
  return [
    ...(prompts.length > 0 ? [counted(prompts.length, "prompt")] : []),
    ...(resources > 0 ? [counted(resources, "resource")] : []),
  ];
}

function reasonOf({ reason }: ServerView): string {
  return reason === undefined ? "" : `: ${oneLine(reason, 400)}`;
}

function againAt({ status, retryAt }: ServerView, now: number | undefined): string {
  if (status !== "waiting" || retryAt === undefined || now === undefined) return "";
  return ` It is tried again in ${Math.max(1, Math.ceil((retryAt - now) / 1000))} s.`;
}
