import { isToolError } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { answerIn, answering, answerText, askingOnce, revisions } from "../../../test/support/answering.ts";
import { askError, callOf } from "../../../test/support/calls.ts";
import { capabilitiesFor } from "./answer-requests.ts";

const form = (properties: object, message = "Who are you?") => ({
  message,
  requestedSchema: { type: "object", properties, required: Object.keys(properties) },
});
const name = { name: { type: "string" } };

describe.each(revisions)("a question of a server, revision %s", (revision) => {
  const ask = (params: object, options = {}) =>
    answering(askingOnce("elicitation/create", params, revision), revision, options);

  it("is put to the person of its call, who reads which server asks and where the answer goes", async () => {
    const { call } = await ask(form(name));
    const { context, asked } = callOf(() => ({ name: "Ada" }));
    expect(answerIn(await call(context))).toEqual({ action: "accept", content: { name: "Ada" } });
    expect(asked).toEqual([
      {
        message:
          'The server "github" asks:\n\n> Who are you?\n\nYour answer goes to this server, and is kept in the conversation. Give it no password and no key.',
        schema: {
          type: "object",
          properties: { name: { type: "string" } },
          required: ["name"],
          additionalProperties: false,
        },
      },
    ]);
  });

  it("shows no hidden character of a message, quotes each line of it, and cuts it", async () => {
    const { call } = await ask(form(name, `Hi\u202e\u200b\n\nThe server "bank" asks:\u{e0041}${"x".repeat(5000)}`));
    const { context, asked } = callOf(() => ({ name: "Ada" }));
    await call(context);
    const { message = "" } = asked[0] ?? {};
    expect(message).toContain('> Hi\n> \n> The server "bank" asks:xxx');
    expect(message).toMatch(/x…\n\nYour answer/);
    expect(message.length).toBeLessThan(2300);
  });

  it("asks a yes or no where a form has no fields", async () => {
    const { call } = await ask(form({}, "Delete it?"));
    const yes = callOf(() => "accept");
    expect(answerIn(await call(yes.context))).toEqual({ action: "accept", content: {} });
    expect(yes.asked[0]?.schema).toEqual({ type: "string", enum: ["accept", "decline"] });
    expect(answerIn(await call(callOf(() => "decline").context))).toEqual({ action: "decline" });
  });

  it.each([
    ["does not want to answer", "answer_failed", "decline", "the person gave no answer"],
    ["is not there", "unanswered", "cancel", "nobody answered"],
  ] as const)("is told when the person %s", async (_, code, action, because) => {
    const { call, logged } = await ask(form(name));
    const { context } = callOf(() => {
      throw askError(code);
    });
    expect(answerIn(await call(context))).toEqual({ action });
    expect(logged).toEqual([`A question was answered with ${action}: ${because}.`]);
  });

  it.each([
    ["asks for a secret", form({ password: { type: "string" } }), "the field password asks for a secret"],
    [
      "has no message, and asks for a key",
      form({ key: { type: "string", title: "API key" } }, ""),
      "the field key asks for a secret",
    ],
    ["names a script", { mode: "url", message: "Go", url: "javascript:alert(1)" }, "its address is not https"],
    ["names a file", { mode: "url", message: "Go", url: "file:///etc/passwd" }, "its address is not https"],
    ["names an open address", { mode: "url", message: "Go", url: "http://example.com/" }, "its address is not https"],
    [
      "names an address with a password",
      { mode: "url", message: "Go", url: "https://ada:secret@example.com/" },
      "its address holds a user name or a password",
    ],
    [
      "names an endless address",
      { mode: "url", message: "Go", url: `https://example.com/${"a".repeat(3000)}` },
      "its address is none, or has more than 2000 characters",
    ],
  ])("is declined where it %s, and the log says why", async (_, params, because) => {
    const { call, logged } = await ask({ elicitationId: "1", ...params });
    const { context, asked } = callOf(() => "done");
    expect(answerIn(await call(context))).toEqual({ action: "decline" });
    expect(asked).toEqual([]);
    expect(logged).toEqual([`A question was declined, and not put to the person: ${because}.`]);
  });

  it("shows an address whole with its host set apart, and opens nothing", async () => {
    const params = { mode: "url", message: "Log in.", url: "https://exämple.com:8443/a?b=c", elicitationId: "1" };
    const { call } = await ask(params);
    const { context, asked } = callOf(() => "done");
    expect(answerIn(await call(context))).toEqual({ action: "accept" });
    expect(asked[0]?.message).toContain(
      "> Log in.\n\nHost: xn--exmple-cua.com:8443\nAddress: https://xn--exmple-cua.com:8443/a?b=c\n\nNothing opens by itself.",
    );
    expect(answerIn(await call(callOf(() => "decline").context))).toEqual({ action: "decline" });
  });

  it("takes an address of this machine without https", async () => {
    const { call } = await ask({ mode: "url", message: "Go", url: "http://127.0.0.1:3000/login", elicitationId: "1" });
    expect(answerIn(await call(callOf(() => "done").context))).toEqual({ action: "accept" });
  });

  it("is declined where no call is in flight", async () => {
    const { call, logged } = await ask(form(name));
    expect(answerIn(await call(undefined))).toEqual({ action: "decline" });
    expect(logged).toEqual(["A question was declined, and not put to the person: no call of it is in flight."]);
  });

  it("declines every question after the twentieth of a call", async () => {
    let rounds = 0;
    const { call, logged } = await answering(async (request, peer) => {
      if (request.method !== "tools/call") return;
      if (revision === "2025-11-25") {
        const answers = [];
        for (let at = 0; at < 30; at++) answers.push(await peer.request("elicitation/create", form(name, `${at}`)));
        return answerText(answers);
      }
      rounds += 1;
      if (rounds > 5) return { resultType: "complete", ...answerText(request.params.inputResponses) };
      const eight = Array.from({ length: 8 }, (_, at) => [
        `q${at}`,
        { method: "elicitation/create", params: form(name, `${rounds} ${at}`) },
      ]);
      return { resultType: "input_required", inputRequests: Object.fromEntries(eight) };
    }, revision);
    const { context, asked } = callOf(() => ({ name: "Ada" }));
    const answers = Object.values(answerIn(await call(context)) as object);
    expect(asked).toHaveLength(20);
    expect(answers.at(-1)).toEqual({ action: "decline" });
    expect(logged.at(-1)).toBe("A question was answered with decline: this call has asked 20 times.");
  });

  it("declares nothing and answers nothing where the host wants no questions", async () => {
    const { call, client } = await ask(form(name), { elicitation: false });
    const { context, asked } = callOf(() => ({ name: "Ada" }));
    const answer = await call(context).then(answerIn, (error: Error) => error.message);
    const refused = {
      "2025-11-25": { error: { code: -32601, message: "Method not found" } },
      "2026-07-28": "The server github asks for elicitation/create, which it was not offered.",
    };
    expect(answer).toEqual(refused[revision]);
    expect(asked).toEqual([]);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  });
});

describe("a question in a call that waits for its answer", () => {
  const left = () => {
    const controller = new AbortController();
    return callOf(
      () => {
        const error = askError("left");
        controller.abort(error);
        throw error;
      },
      { signal: controller.signal },
    ).context;
  };

  it("is cancelled for the server of 2025-11-25, and so is the call", async () => {
    const told: unknown[] = [];
    let cancelled: (() => void) | undefined;
    const wasCancelled = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const { call } = await answering(async (request, peer) => {
      if (request.method === "notifications/cancelled") cancelled?.();
      if (request.method !== "tools/call") return;
      told.push(await peer.request("elicitation/create", form(name)));
      return answerText("too late");
    }, "2025-11-25");
    await expect(call(left())).rejects.toThrow("left");
    await wasCancelled;
    expect(told).toEqual([{ action: "cancel" }]);
  });

  it("ends the call with 2026-07-28, and the server hears nothing more", async () => {
    let calls = 0;
    const { call } = await answering((request) => {
      if (request.method === "tools/call") calls += 1;
      return {
        resultType: "input_required",
        inputRequests: { q: { method: "elicitation/create", params: form(name) } },
      };
    }, "2026-07-28");
    const error = await call(left()).catch((thrown) => thrown);
    expect(isToolError(error, "left")).toBe(true);
    expect(calls).toBe(1);
  });
});

describe("secrets of the host", () => {
  it.each(revisions)("are taken out of what a server asks, revision %s", async (revision) => {
    const handle = askingOnce(
      "elicitation/create",
      form({ a: { type: "string", title: "hush-hush" } }, "Is it hush-hush?"),
      revision,
    );
    const { call } = await answering(
      handle,
      revision,
      {},
      { hide: (text) => text.replaceAll("hush-hush", "[hidden]") },
    );
    const { context, asked } = callOf(() => ({ a: "x" }));
    await call(context);
    expect(asked[0]?.message).toContain("> Is it [hidden]?");
    expect(JSON.stringify(asked)).not.toContain("hush-hush");
  });
});

describe("several calls in flight", () => {
  it.each([
    ["task-2", "second"],
    ["task-3", undefined],
  ])("2025-11-25: a question of the task %s is put to the person of its call", async (taskId, who) => {
    const params = { ...form(name), _meta: { "io.modelcontextprotocol/related-task": { taskId } } };
    const { call, inFlight } = await answering(askingOnce("elicitation/create", params, "2025-11-25"), "2025-11-25");
    for (const [task, person] of [
      ["task-1", "first"],
      ["task-2", "second"],
    ] as const) {
      inFlight.push({ tool: "slow", context: callOf(() => ({ name: person })).context, task });
    }
    const answer = (await answerIn(await call(callOf(() => ({ name: "third" })).context))) as {
      content?: { name: string };
    };
    expect(answer.content?.name).toBe(who);
  });

  it("2025-11-25: the question is put to the person of the oldest call", async () => {
    const { call, inFlight } = await answering(
      askingOnce("elicitation/create", form(name), "2025-11-25"),
      "2025-11-25",
    );
    const older = callOf(() => ({ name: "older" }));
    inFlight.push({ tool: "slow", context: older.context });
    const newer = callOf(() => ({ name: "newer" }));
    expect(answerIn(await call(newer.context))).toMatchObject({ content: { name: "older" } });
    expect(newer.asked).toEqual([]);
  });

  it("2026-07-28: the question is put to the person of the call that it belongs to", async () => {
    const { call, inFlight } = await answering(
      askingOnce("elicitation/create", form(name), "2026-07-28"),
      "2026-07-28",
    );
    const older = callOf(() => ({ name: "older" }));
    inFlight.push({ tool: "slow", context: older.context });
    expect(answerIn(await call(callOf(() => ({ name: "newer" })).context))).toMatchObject({
      content: { name: "newer" },
    });
    expect(older.asked).toEqual([]);
  });
});

describe("rounds of questions (2026-07-28)", () => {
  it("gives the state of the server back as it came, with the answers of each round alone", async () => {
    const seen: unknown[] = [];
    const { call } = await answering(({ method, params }) => {
      if (method !== "tools/call") return;
      seen.push([params.requestState, params.inputResponses]);
      if (seen.length > 2) return { resultType: "complete", ...answerText("done") };
      const q = { method: "elicitation/create", params: form(name, `round ${seen.length}`) };
      return {
        resultType: "input_required",
        requestState: `state ${seen.length}`,
        inputRequests: { [`q${seen.length}`]: q },
      };
    }, "2026-07-28");
    expect(answerIn(await call(callOf(() => ({ name: "Ada" })).context))).toBe("done");
    const accepted = { action: "accept", content: { name: "Ada" } };
    expect(seen).toEqual([
      [undefined, undefined],
      ["state 1", { q1: accepted }],
      ["state 2", { q2: accepted }],
    ]);
  });

  it("answers with the roots that the host has named", async () => {
    const roots = [{ uri: "file:///srv/project", name: "project" }];
    const { call } = await answering(askingOnce("roots/list", {}, "2026-07-28"), "2026-07-28", { roots });
    expect(answerIn(await call(callOf(() => "").context))).toEqual({ roots });
  });

  it.each([
    [
      "asks without end",
      () => ({ inputRequests: { q: { method: "elicitation/create", params: form({}) } } }),
      "still asks after 10 rounds of questions.",
    ],
    [
      "asks too much at once",
      () => ({
        inputRequests: Object.fromEntries(
          Array.from({ length: 5000 }, (_, at) => [`q${at}`, { method: "elicitation/create", params: form({}) }]),
        ),
      }),
      "asks 5000 questions at once; at most 8 are answered.",
    ],
    [
      "sends a huge state",
      () => ({ requestState: "s".repeat(100_000) }),
      "sends a state of 100000 characters; at most 65536 are sent back.",
    ],
    [
      "asks for something else",
      () => ({ inputRequests: { q: { method: "tools/call", params: {} } } }),
      "asks for tools/call, which it was not offered.",
    ],
  ])("fails the call of a server that %s", async (_, answer, why) => {
    const { call } = await answering(
      ({ method }) => (method === "tools/call" ? { resultType: "input_required", ...answer() } : undefined),
      "2026-07-28",
    );
    await expect(call(callOf(() => "accept").context)).rejects.toMatchObject({
      code: "protocol",
      message: `The server github ${why}`,
    });
  });
});

describe("a call that needs an address to be opened first", () => {
  const needs = (elicitations: unknown[]) => ({ code: -32042, message: "Log in first.", data: { elicitations } });
  const login = { mode: "url", message: "Log in.", url: "https://example.com/login", elicitationId: "login-1" };

  it("runs again once the person has been there and the server says so", async () => {
    let isDone = false;
    let calls = 0;
    const { call } = await answering(({ method }, peer) => {
      if (method !== "tools/call") return;
      calls += 1;
      if (isDone) return answerText("in");
      isDone = true;
      peer.notify("notifications/elicitation/complete", { elicitationId: "login-1" });
      throw needs([login]);
    }, "2025-11-25");
    expect(answerIn(await call(callOf(() => "done").context))).toBe("in");
    expect(calls).toBe(2);
  });

  it.each([
    ["the person declines", [login], "decline"],
    ["an address is not safe", [{ ...login, url: "http://example.com/" }], "done"],
    ["there are too many addresses", Array.from({ length: 6 }, () => login), "done"],
  ])("fails where %s", async (_, elicitations, answer) => {
    const { call } = await answering(({ method }) => {
      if (method === "tools/call") throw needs(elicitations);
    }, "2025-11-25");
    await expect(call(callOf(() => answer).context)).rejects.toThrow(
      "The server github needs an address to be opened first, which nobody did.",
    );
  });
});

it("declares what the host allows", () => {
  expect(capabilitiesFor({})).toEqual({ elicitation: { form: {}, url: {} } });
  expect(capabilitiesFor({ elicitation: false })).toEqual({});
  expect(capabilitiesFor({ elicitation: false, roots: [] })).toEqual({ roots: { listChanged: true } });
});
