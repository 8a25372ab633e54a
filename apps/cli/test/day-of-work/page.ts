import type { StoredEvent } from "@cogency/storage";
import { type Place, written } from "../support/command-line.ts";

/** What a browser does for the page of `cogency open`: one process of it, and requests over HTTP. */
export class Page {
  readonly #child: ReturnType<Place["start"]>;
  readonly #api: string;
  readonly #headers: Record<string, string>;
  readonly #leaving = new AbortController();
  readonly #readers: Promise<void>[] = [];
  readonly #failures: unknown[] = [];

  private constructor(child: ReturnType<Place["start"]>, api: string, headers: Record<string, string>) {
    this.#child = child;
    this.#api = api;
    this.#headers = headers;
  }

  static async open({ start }: Place, args: readonly string[]): Promise<Page> {
    const child = start(["open", "--no-browser", ...args], { keepsInput: true });
    const link = /^Open (http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]+)$/m;
    const [, origin = "", token = ""] = link.exec(await written(child.stderr, link)) ?? [];
    const entered = await fetch(`${origin}/session`, {
      method: "POST",
      headers: { origin, authorization: `Bearer ${token}` },
    });
    const { path } = (await entered.json()) as { path: string };
    const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
    return new Page(child, `${origin}${path}/api/conversations`, { origin, cookie });
  }

  /** Posts a message, as often as given: as a browser does that did not hear the answer. */
  async post(
    conversation: string,
    message: { id: string; kind: string } & Record<string, string>,
    times = 1,
  ): Promise<void> {
    for (let time = 0; time < times; time++) {
      const response = await fetch(`${this.#api}/${conversation}/messages`, {
        method: "POST",
        headers: { ...this.#headers, "content-type": "application/json" },
        body: JSON.stringify(message),
      });
      if (response.status !== 202) throw new Error(`The page got ${response.status}: ${await response.text()}`);
    }
  }

  /** Reads events into a list, from the one after its last on, and connects anew after so many, until the page is closed. */
  follow(conversation: string, seen: StoredEvent[], eventsEach: number): void {
    const reading = this.#read(conversation, seen, eventsEach);
    this.#readers.push(reading.catch((error: unknown) => void this.#failures.push(error)));
  }

  async #read(conversation: string, seen: StoredEvent[], eventsEach: number): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      const connection = new AbortController();
      try {
        const last = seen.at(-1)?.seq;
        const { body } = await fetch(`${this.#api}/${conversation}/events?view=log`, {
          headers: { ...this.#headers, ...(last !== undefined && { "last-event-id": String(last) }) },
          signal: AbortSignal.any([signal, connection.signal]),
        });
        let rest = "";
        const until = seen.length + eventsEach;
        for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
          const blocks = `${rest}${chunk}`.split("\n\n");
          rest = blocks.pop() ?? "";
          for (const block of blocks) {
            const [, data] = /^id: \d+\ndata: (.*)$/m.exec(block) ?? [];
            if (data !== undefined && seen.length < until) seen.push(JSON.parse(data));
          }
          if (seen.length >= until) break;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        connection.abort();
      }
    }
  }

  /** @returns the exit code */
  async close(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.#child.once("close", resolve));
    this.#leaving.abort();
    await Promise.all(this.#readers);
    if (this.#failures.length > 0) throw new AggregateError(this.#failures, "The page could not read events.");
    this.#child.kill("SIGINT");
    return ended;
  }
}
