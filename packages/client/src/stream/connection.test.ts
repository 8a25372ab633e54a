import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, fakeServer, fakeStream, problem } from "../../test/support/fake-server.ts";
import type { ClientOptions } from "../client-options.ts";
import { Requests } from "../http/requests.ts";
import { Connection, type ConnectionState } from "./connection.ts";

/** A connection to a server that gives these answers one after another, the last one again and again. */
function connect(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const states: (ConnectionState | string)[] = [];
  const events: string[] = [];
  const seen = { after: 0, opened: 0, deleted: 0 };
  let asked = 0;
  const { fetch, requests } = fakeServer((request) =>
    (answers[Math.min(asked++, answers.length - 1)] as Answer)(request),
  );
  const connection = new Connection({
    requests: new Requests({ url: "http://server.test/api/", fetch, ...options }),
    path: "/events",
    after: () => seen.after,
    onOpen: () => void seen.opened++,
    onEvents: (news) => void events.push(...news.map(({ data }) => data)),
    onDeleted: () => {
      seen.deleted++;
      seen.after = 0;
    },
    onState: (state, error) => {
      const now = error ? `${state}: ${error.code}` : state;
      if (states.at(-1) !== now) states.push(now);
    },
  });
  onTestFinished(() => connection.close());
  connection.open();
  return { connection, states, events, seen, requests };
}

const soon = "retry: 1\n\n";
const open =
  (...texts: string[]): Answer =>
  () => {
    const stream = fakeStream();
    for (const text of [soon, ...texts]) stream.write(text);
    return stream.response;
  };

describe("a connection", () => {
  it("gives what comes, and names the last event when it connects again", async () => {
    const first = fakeStream();
    const { states, events, seen, requests } = connect([() => first.response, open("data: 2\n\n")]);
    first.write(`${soon}data: 1\n\n`);
    await expect.poll(() => events).toEqual(["1"]);
    seen.after = 7;
    first.end();
    await expect.poll(() => events).toEqual(["1", "2"]);
    expect(requests.map(({ headers }) => headers.get("last-event-id"))).toEqual([null, "7"]);
    expect(requests[0]?.url).toBe("http://server.test/api/events");
    // One that ended is made again without a word.
    expect(states).toEqual(["open"]);
  });

  it("is made again after it broke, and tells of it only if that fails too", async () => {
    const first = fakeStream();
    const away: Answer = () => Promise.reject(new TypeError("fetch failed"));
    const { states, events } = connect([() => first.response, away, away, open("data: 2\n\n")]);
    first.write(`${soon}data: 1\n\n`);
    await expect.poll(() => events).toEqual(["1"]);
    first.break();
    await expect.poll(() => events).toEqual(["1", "2"]);
    expect(states).toEqual(["open", "offline: unreachable", "open"]);
  });

  it("waits as long as a server that is not ready says", async () => {
    const times: number[] = [];
    const busy: Answer = () => {
      times.push(Date.now());
      return problem(429, "too_many_streams", { "retry-after": "1" });
    };
    const late: Answer = () => {
      times.push(Date.now());
      return fakeStream().response;
    };
    const { states } = connect([busy, late]);
    await expect.poll(() => states).toEqual(["connecting: too_many_streams", "open"]);
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(990);
  });

  it("tries again by itself after 503", async () => {
    const { states } = connect([() => problem(503, "store_failed"), open()]);
    await expect.poll(() => states).toEqual(["connecting: store_failed", "open"]);
  });

  it.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not_found"],
  ])("fails after %i, until somebody wants it again", async (status, code) => {
    const { connection, states, requests } = connect([() => problem(status, code), open()]);
    await expect.poll(() => states).toEqual([`failed: ${code}`]);
    expect(requests).toHaveLength(1);
    connection.restart();
    await expect.poll(() => states).toEqual([`failed: ${code}`, "connecting", "open"]);
  });

  it("fails where something else answers, and says what", async () => {
    const page: Answer = () => new Response("<html>", { headers: { "content-type": "text/html" } });
    const { states } = connect([page]);
    await expect.poll(() => states).toEqual(["failed: bad_response"]);
  });

  it("fails where a body does not come piece by piece, as that of React Native's fetch", async () => {
    const whole: Answer = () => {
      const response = new Response("data: 1\n\n", { headers: { "content-type": "text/event-stream" } });
      return new Proxy(response, { get: (of, name) => (name === "body" ? undefined : Reflect.get(of, name)) });
    };
    const { states } = connect([whole]);
    await expect.poll(() => states).toEqual(["failed: no_streams"]);
  });

  it("begins again at 0 where the log was deleted, once", async () => {
    const gone: Answer = () => problem(409, "conflict");
    const { states, seen, requests } = connect([gone, open(), gone]);
    seen.after = 5;
    await expect.poll(() => states).toEqual(["open"]);
    expect(seen.deleted).toBe(1);
    expect(requests.at(-1)?.headers.get("last-event-id")).toBe(null);
    const { states: others } = connect([gone]);
    await expect.poll(() => others).toEqual(["failed: conflict"]);
  });

  it("asks for new headers once after a 401", async () => {
    let token = 0;
    const headers = async () => ({ authorization: `Bearer ${token++}` });
    const answer: Answer = (request) =>
      request.headers.get("authorization") === "Bearer 1" ? fakeStream().response : problem(401, "unauthorized");
    const { states, requests } = connect([answer], { headers });
    await expect.poll(() => states).toEqual(["open"]);
    expect(requests).toHaveLength(2);
  });

  it("leaves the stream when it is closed, and may be opened again", async () => {
    const first = fakeStream();
    const { connection, states, seen } = connect([() => first.response, open()]);
    await expect.poll(() => states).toEqual(["open"]);
    connection.close();
    await expect.poll(() => first.isLeft).toBe(true);
    connection.open();
    await expect.poll(() => seen.opened).toBe(2);
  });

  it("connects anew when the network is back, and knows that it is away", async () => {
    const target = new EventTarget();
    Object.assign(globalThis, { self: target });
    onTestFinished(() => void delete (globalThis as { self?: unknown }).self);
    const { states, seen } = connect([open()]);
    await expect.poll(() => states).toEqual(["open"]);
    target.dispatchEvent(new Event("offline"));
    expect(states.at(-1)).toBe("offline");
    target.dispatchEvent(new Event("online"));
    await expect.poll(() => seen.opened).toBe(2);
    expect(states).toEqual(["open", "offline", "open"]);
  });
});
