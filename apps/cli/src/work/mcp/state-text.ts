import { counted, oneLine } from "../../base/terminal/text.ts";
import type { ServerView } from "./servers.ts";

/**
 * `ready, 12 tools` or `failed: …`, for a person who reads the name beside it.
 *
 * @param now the time, in a chat: there a server is tried again, and slash commands can be typed
 */
export function stateText(view: ServerView, now?: number): string {
  switch (view.status) {
    case "ready":
      return [`ready, ${counted(view.tools.length, "tool")}`, ...more(view)].join(", ");
    case "disabled":
      return "switched off in the configuration";
    case "needs_login":
      return `needs a login: ${now === undefined ? "cogency mcp login" : "/mcp login"} ${view.name}`;
    default:
      return `${words[view.status]}${reasonOf(view)}${againAt(view, now)}`;
  }
}

/** `The server docs is away: …` */
export function stateSentence(view: ServerView, now?: number): string {
  const verb = view.status === "needs_login" || view.status === "failed" ? "" : "is ";
  return `The server ${view.name} ${verb}${stateText(view, now)}`;
}

const words = { connecting: "connecting", waiting: "away", failed: "failed", closed: "closed" } as const;

function more({ prompts, resources }: ServerView): string[] {
  return [
    ...(prompts.length > 0 ? [counted(prompts.length, "prompt")] : []),
    ...(resources > 0 ? [counted(resources, "resource")] : []),
  ];
}

function reasonOf({ name, reason }: ServerView): string {
  return reason === undefined ? "" : `: ${oneLine(withoutName(reason, name), 400)}`;
}

/** The reason says once more which server it is about. */
function withoutName(reason: string, name: string): string {
  const subjects = [
    [`The server ${name} `, "it "],
    [`The program of the server ${name} `, "its program "],
    ["Its program ", "its program "],
  ] as const;
  const subject = subjects.find(([long]) => reason.startsWith(long));
  return subject === undefined ? reason : subject[1] + reason.slice(subject[0].length);
}

function againAt({ status, retryAt }: ServerView, now: number | undefined): string {
  if (status !== "waiting" || retryAt === undefined || now === undefined) return "";
  return ` It is tried again in ${Math.max(1, Math.ceil((retryAt - now) / 1000))} s.`;
}
