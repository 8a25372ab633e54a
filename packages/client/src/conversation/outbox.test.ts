import { describe, expect, it } from "vitest";
import { type Answer, fakeServer, problem } from "../../test/support/fake-server.ts";
import { Requests } from "../http/requests.ts";
import { Outbox } from "./outbox.ts";

function outbox(answer: Answer) {
  const { fetch, requests } = fakeServer(answer);
  const box = new Outbox(new Requests({ url: "http://server.test", fetch }), "/messages", () => {});
  const bodies = async () => Promise.all(requests.map((request) => request.clone().text()));
  const states = () => box.messages.map(({ id, state }) => `${id} ${state}`);
  return { box, requests, bodies, states };
}

const taken: Answer = async (request) =>
  Response.json({ id: ((await request.json()) as { id: string }).id }, { status: 202 });
const words = (content: string) => ({ kind: "prompt", content }) as const;

describe("an outbox", () => {
  it("posts messages one after another, in their order, and keeps them until a run has read them", async () => {
    const { box, bodies, states } = outbox(taken);
    const all = ["1", "2", "3"].map((id) => box.post(id, words(`word ${id}`)));
    expect(states()).toEqual(["1 sending", "2 sending", "3 sending"]);
    await Promise.all(all);
    expect(states()).toEqual(["1 sent", "2 sent", "3 sent"]);
    expect((await bodies()).map((body) => JSON.parse(body))).toEqual(
      ["1", "2", "3"].map((id) => ({ id, kind: "prompt", content: `word ${id}` })),
    );
    box.take(new Set(["1", "2"]));
    expect(states()).toEqual(["3 sent"]);
  });

  it("posts the same bytes again until the server has them, and others after them", async () => {
    let tries = 0;
    const { box, bodies } = outbox((request) => {
      tries++;
      if (tries === 1) return Promise.reject(new TypeError("fetch failed"));
      return tries === 2 ? problem(503, "store_failed") : taken(request);
    });
    const all = [box.post("1", words("a")), box.post("2", words("b"))];
    await Promise.all(all);
    const [first, second, third, fourth] = await bodies();
    expect([second, third]).toEqual([first, first]);
    expect(JSON.parse(fourth as string)).toMatchObject({ id: "2" });
    expect(tries).toBe(4);
  });

  it("keeps a message that the server refuses, says why, and posts it again when it is asked to", async () => {
    let isFull = true;
    const { box, states, bodies } = outbox((request) => (isFull ? problem(429, "too_many_messages") : taken(request)));
    await expect(box.post("1", words("a"))).rejects.toMatchObject({ code: "too_many_messages", status: 429 });
    expect(box.messages).toMatchObject([{ state: "failed", error: { code: "too_many_messages" } }]);
    isFull = false;
    expect(box.retry("2")).toBe(false);
    expect(box.retry("1")).toBe(true);
    expect(box.messages[0]).not.toHaveProperty("error");
    await expect.poll(states).toEqual(["1 sent"]);
    const [first, second] = await bodies();
    expect(second).toBe(first);
  });

  it("does not let a refused message hold those after it", async () => {
    const { box, states } = outbox(async (request) => {
      const { id } = (await request.clone().json()) as { id: string };
      return id === "1" ? problem(400, "invalid_request") : taken(request);
    });
    box.post("1", words(""));
    await box.post("2", words("b"));
    expect(states()).toEqual(["1 failed", "2 sent"]);
  });

  it("cancels a run although words wait for the server", async () => {
    const { box, states } = outbox(async (request) => {
      const { kind } = (await request.clone().json()) as { kind: string };
      return kind === "cancel" ? taken(request) : new Promise(() => {});
    });
    box.post("1", words("a"));
    await box.post("2", { kind: "cancel" });
    expect(states()).toEqual(["1 sending", "2 sent"]);
    expect(box.discard("2")).toBe(false);
    expect(box.discard("1")).toBe(true);
    expect(states()).toEqual(["2 sent"]);
  });

  it("knows that the server has a message which a run has read, although no answer came", async () => {
    const { box, states } = outbox(() => new Promise(() => {}));
    const posted = box.post("1", words("a"));
    box.take(new Set(["1"]));
    await posted;
    expect(states()).toEqual([]);
  });

  it("takes the same id for the same message", async () => {
    const { box, requests } = outbox(taken);
    expect(box.post("1", words("a"))).toBe(box.post("1", words("a")));
    await expect.poll(() => requests.length).toBe(1);
  });

  it("shows what waits on the server, without what a run has read", async () => {
    const { box, states } = outbox(() => new Promise(() => {}));
    const mine = box.post("1", words("mine"));
    const found = (id: string) => ({ id, kind: "prompt", content: "other", from: "ada", postedAt: 5 }) as const;
    box.find([found("0"), found("1"), found("9")], new Set(["9"]));
    await mine;
    expect(states()).toEqual(["0 sent", "1 sent"]);
    expect(box.messages[0]).toEqual({ id: "0", kind: "prompt", content: "other", state: "sent" });
    box.forget();
    expect(states()).toEqual([]);
  });

  it("gives the same list until something changes", () => {
    const { box } = outbox(() => new Promise(() => {}));
    box.post("1", words("a"));
    const { messages } = box;
    expect(box.messages).toBe(messages);
    box.post("2", words("b"));
    expect(box.messages[0]).toBe(messages[0]);
    expect(box.messages).not.toBe(messages);
  });
});
