import type { ChatRun } from "./chat-terminal.ts";
import { terminalSvg } from "./terminal-svg.ts";

/** The picture of a chat, with `/srv/greeter` for the folder in which it was had. */
export function chatPicture({ terminal, project }: ChatRun): string {
  return terminalSvg(terminal, "A chat at a terminal", (text) => text.replaceAll(project, "/srv/greeter"));
}

/** The texts of a picture, without what differs from run to run: times and numbers of tokens. */
export function textsOf(svg: string): string[] {
  return Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, text = ""]) =>
    text
      .replace(/\d[\d,.]* (?:ms|s)\b/g, "# s")
      .replace(/\d[\d,]* (tokens in|out)\b|(tokens|context) (?:about )?\d[\d,]*/g, "# $1$2"),
  );
}
