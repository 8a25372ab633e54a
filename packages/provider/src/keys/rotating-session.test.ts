import type { ModelMessage } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { collect } from "../../test/support/collect.ts";
import { contentText } from "../content.ts";
import { ProviderError } from "../errors.ts";
import type { ConnectOptions, ModelEvent, ModelRequest, Session } from "../provider.ts";
import { withRetry } from "../retry/with-retry.ts";
import { scripted } from "../scripted.ts";
import { rotateKeys } from "./rotate-keys.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "hello" }] };
const keys = ["sk-canary-one", "sk-canary-two", "sk-canary-three"];
const aborted: ModelEvent = { type: "finish", reason: "aborted" };

describe("a session over several keys", () => {
  it("sends each message once to a session that repeats the whole conversation with every send", async () => {
    const { session, heard } = await opened({ limits: [1] });
    for (const text of ["a", "b", "c", "d"]) await collect(session.send(text));
    expect(heard.at(-1)).toBe("hello a A b B c C d");
  });

  it.each([0.1, 0.5, 0.9])(
    "loses no message and sends none twice when a share of %d of its sends is limited",
    async (share) => {
      const { session, heard } = await opened({ limits: { share }, rest: 0 });
      const said = ["hello"];
      for (let index = 0; index < 60; index++) {
        const stopping = new AbortController();
        const isStopped = index % 7 === 3;
        let isFinished = false;
        try {
          for await (const event of session.send(`q${index}`, { signal: stopping.signal })) {
            if (event.type === "text" && isStopped) stopping.abort();
            isFinished ||= event.type === "finish" && event.reason !== "aborted";
          }
        } catch (error) {
          expect(error).toMatchObject({ code: "rate_limit" });
          continue;
        }
        expect(heard.at(-1)).toBe([...said, `q${index}`].join(" "));
        if (isFinished) said.push(`q${index}`, `Q${index}`);
      }
      await session.close();
    },
  );

  it("ends a send as aborted when the session is closed while it changes its key", async () => {
    for (const follows of [true, false]) {
      const { session, opening, alive } = await opened({ limits: [0], holds: true, follows });
      const events = collect(session.send("a"));
      const change = await opening;
      await session.close();
      if (!follows) change.resolve();
      expect(await events).toMatchObject([{ type: "retry" }, aborted]);
      expect(alive()).toBe(0);
    }
  });

  it("ends a send as aborted when the session is closed before it changes its key", async () => {
    const { session, alive } = await opened({ limits: [0] });
    const events: ModelEvent[] = [];
    for await (const event of session.send("a")) {
      events.push(event);
      if (event.type === "retry") await session.close();
    }
    expect(events).toMatchObject([{ type: "retry" }, aborted]);
    expect(alive()).toBe(0);
  });

  it("ends a send as aborted if its signal aborts while the key is changed, and continues with the next", async () => {
    const { session, opening, heard } = await opened({ limits: [0], holds: true });
    const stopping = new AbortController();
    const events = collect(session.send("a", { signal: stopping.signal }));
    const change = await opening;
    stopping.abort();
    expect(await events).toMatchObject([{ type: "retry" }, aborted]);
    change.resolve();
    expect((await collect(session.send("b"))).at(-1)).toMatchObject({ reason: "stop" });
    expect(heard.at(-1)).toBe("hello b");
  });

  it("refuses a second send while the first one changes the key", async () => {
    const { session, opening, alive, heard } = await opened({ limits: [0], holds: true });
    const first = collect(session.send("a"));
    const change = await opening;
    await expect(collect(session.send("b"))).rejects.toMatchObject({ code: "unsupported" });
    change.resolve();
    expect((await first).at(-1)).toMatchObject({ reason: "stop" });
    expect(heard.at(-1)).toBe("hello a");
    expect(alive()).toBe(1);
  });

  it("does not wait for the session of the limited key to be closed", async () => {
    const { session } = await opened({ limits: [0], closeHangs: true });
    expect((await collect(session.send("a"))).at(-1)).toMatchObject({ reason: "stop" });
  });

  it("continues under withRetry after every key was limited", async () => {
    const { session, heard } = await opened({ limits: [1, 2, 3], rest: 5, retries: true });
    await collect(session.send("a"));
    expect((await collect(session.send("b"))).at(-1)).toMatchObject({ reason: "stop" });
    expect(heard.at(-1)).toBe("hello a A b");
  });
});

interface Plan {
  /** Which sends are limited, counted over all sessions from 0, or what share of them. */
  limits: readonly number[] | { share: number };
  rest?: number;
  /** The second session is opened once the test says so. */
  holds?: boolean;
  /** Opening it ends with its signal. */
  follows?: boolean;
  closeHangs?: boolean;
  retries?: boolean;
}

/** A session whose server answers each text with its capitals, and hears the whole conversation with each send. */
async function opened({
  limits,
  rest = 60_000,
  holds = false,
  follows = true,
  closeHangs = false,
  retries = false,
}: Plan) {
  const heard: string[] = [];
  const opening = Promise.withResolvers<PromiseWithResolvers<void>>();
  const change = Promise.withResolvers<void>();
  let random = 1;
  let sends = 0;
  let opens = 0;
  let alive = 0;

  function isLimited(): boolean {
    const send = sends++;
    random = (random * 48_271) % 2_147_483_647;
    return "share" in limits ? random / 2_147_483_647 < limits.share : limits.includes(send);
  }

  async function connect(asked: ModelRequest, { signal }: ConnectOptions = {}): Promise<Session> {
    if (++opens === 2 && holds) {
      opening.resolve(change);
      await new Promise<void>((resolve, reject) => {
        void change.promise.then(resolve);
        if (follows) signal?.addEventListener("abort", () => reject(new ProviderError("connection", "Given up.")));
      });
    }
    alive++;
    const own: ModelMessage[] = [];
    let isClosed = false;
    return {
      async *send(content, options) {
        if (isClosed) throw new ProviderError("connection", "The session is closed.", { retryable: false });
        if (isLimited()) throw new ProviderError("rate_limit", "Too many requests.", { retryAfter: rest / 1000 });
        heard.push([...asked.messages, ...own].map(textOf).concat(content).join(" "));
        const answer = content.toUpperCase();
        yield { type: "text", text: answer };
        if (options?.signal?.aborted) return yield aborted;
        own.push({ role: "user", content }, { role: "assistant", content: answer });
        yield { type: "finish", reason: "stop" };
      },
      async close() {
        isClosed = true;
        alive--;
        if (closeHangs) await new Promise(() => {});
      },
    };
  }

  const rotating = rotateKeys(keys, () => ({ ...scripted([]), connect }), { rest });
  const session = await (retries ? withRetry(rotating) : rotating).connect?.(request);
  if (!session) throw new Error("no session");
  return { session, heard, opening: opening.promise, alive: () => alive };
}

function textOf(message: ModelMessage): string {
  return "content" in message ? contentText(message.content) : "";
}
