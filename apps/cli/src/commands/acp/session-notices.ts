import { oneLine } from "../../base/terminal/text.ts";
import { tellNews } from "../../work/mcp/server-news.ts";
import type { Servers } from "../../work/mcp/servers.ts";
import { stateSentence } from "../../work/mcp/state-text.ts";

/** What a person at an editor should know beside the turns. A chat says it in its lines. */
export class SessionNotices {
  readonly #waiting: string[] = [];
  #tell: ((text: string) => void) | undefined;

  /** Says it once somebody hears it. */
  say(text: string): void {
    const line = oneLine(text, 500);
    if (this.#tell) this.#tell(line);
    else this.#waiting.push(line);
  }

  /** Says what was said before, and from now on what comes. Returns a function that ends that. */
  hear(tell: (text: string) => void): () => void {
    this.#tell = tell;
    for (const line of this.#waiting.splice(0)) tell(line);
    return () => {
      this.#tell = () => {};
    };
  }

  /** Says which servers are not there, now and later. Returns a function that ends that. */
  follow(servers: Servers): () => void {
    // Nothing will ever come of one that is not even tried.
    for (const view of servers.views()) if (view.status === "failed" && !view.isTried) this.say(stateSentence(view));
    return tellNews(servers, (line) => this.say(line), { isChat: false });
  }
}
