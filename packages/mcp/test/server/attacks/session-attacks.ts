import { expect } from "vitest";
import { answerOf, call, initialize, request, streamed } from "../raw-client.ts";
import { type Attack, approved, elicits, write } from "./attack.ts";

export const sessionAttacks: readonly Attack[] = [
  {
    name: "addresses the server by a name of its own",
    async play({ eve }) {
      expect((await eve.post(call("add", { a: 1, b: 2 }), { host: "evil.example" })).status).toBe(403);
    },
  },
  {
    name: "sends from a page elsewhere",
    async play({ eve }) {
      expect((await eve.post(call("add", { a: 1, b: 2 }), { origin: "https://evil.example" })).status).toBe(403);
    },
  },
  {
    name: "uses the session of another user",
    async play({ eve, ada }) {
      const hers = { "mcp-session-id": (await ada.session())["mcp-session-id"] ?? "" };
      expect((await eve.post(call("add", { a: 1, b: 2 }), hers)).status).toBe(404);
      expect((await eve.send("GET", undefined, hers)).status).toBe(404);
      expect((await eve.send("DELETE", undefined, hers)).status).toBe(404);
      expect((await ada.post(request("ping"), hers)).status).toBe(200);
    },
  },
  {
    name: "begins 100 sessions, and listens in each",
    async play({ eve }) {
      const begun = await Promise.all(
        Array.from({ length: 100 }, async (_, id) => {
          const response = await eve.post(request("initialize", initialize(), id));
          await response.text();
          const session = response.headers.get("mcp-session-id");
          return session === null ? response.status : eve.send("GET", undefined, { "mcp-session-id": session });
        }),
      );
      expect(begun.filter((one) => typeof one === "object" && one.status === 200).length).toBeLessThanOrEqual(4);
    },
  },
  {
    name: "repeats the id of a request that has no answer yet",
    async play({ eve }) {
      const here = await eve.session(elicits);
      const first = streamed(await eve.post(request("tools/call", write, 9), here));
      await first.next();
      await first.next();
      const { error } = await answerOf(await eve.post(call("add", { a: 1, b: 2 }, 9), here));
      expect(error).toMatchObject({ code: -32600 });
      await first.return(undefined);
    },
  },
  {
    name: "answers questions that nobody asked",
    async play({ eve }) {
      const here = await eve.session(elicits);
      for (const id of [0, 1, 2, 3, "0"]) {
        expect((await eve.post({ jsonrpc: "2.0", id, result: approved }, here)).status).toBe(202);
      }
      expect((await eve.post(request("ping"), here)).status).toBe(200);
    },
  },
  {
    name: "answers the question of another session",
    async play({ eve, ada }) {
      const hers = await ada.session(elicits);
      const stream = streamed(await ada.post(request("tools/call", write, 1), hers));
      await stream.next();
      const asked = (await stream.next()).value;
      expect(asked).toMatchObject({ method: "elicitation/create" });
      await eve.post({ jsonrpc: "2.0", id: asked?.id, result: approved }, await eve.session(elicits));
      await ada.post({ jsonrpc: "2.0", id: asked?.id, result: { action: "decline" } }, hers);
      expect((await stream.next()).value).toMatchObject({ result: { isError: true } });
    },
  },
  {
    name: "cancels the request of another session",
    async play({ eve, ada }) {
      const hers = await ada.session(elicits);
      const stream = streamed(await ada.post(request("tools/call", write, 1), hers));
      await stream.next();
      const asked = (await stream.next()).value;
      const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
      await eve.post(cancel, await eve.session());
      await ada.post({ jsonrpc: "2.0", id: asked?.id, result: approved }, hers);
      expect((await stream.next()).value).toMatchObject({ result: { structuredContent: { written: "a.md" } } });
    },
    runs: ["write a.md"],
  },
  {
    name: "takes the progress token of another call",
    async play({ eve, ada }) {
      const params = { name: "steps", arguments: {}, _meta: { progressToken: "same" } };
      const [hers, his] = await Promise.all([ada.session(), eve.session()]);
      const [one, other] = await Promise.all([
        ada.post(request("tools/call", params, 1), hers).then(answerOf),
        eve.post(request("tools/call", params, 1), his).then(answerOf),
      ]);
      expect([one.notifications.length, other.notifications.length]).toEqual([3, 3]);
    },
    runs: ["steps", "steps"],
  },
  {
    name: "resumes at an event of another session",
    async play({ eve, ada }) {
      const events = streamed(await ada.post(call("add", { a: 1, b: 2 }), await ada.session()));
      const { eventId = "" } = (await events.next()).value ?? {};
      expect(eventId).not.toBe("");
      for await (const _ of events) {
        // Until her call has its result.
      }
      const response = await eve.send("GET", undefined, { ...(await eve.session()), "last-event-id": eventId });
      expect(response.status).toBe(400);
    },
    runs: ["add"],
  },
  {
    name: "answers with what does not fit, until it is not asked any more",
    async play({ eve }) {
      const here = await eve.session(elicits);
      let asked = 0;
      for await (const got of streamed(await eve.post(request("tools/call", write, 1), here))) {
        if (got.method === "elicitation/create") {
          asked++;
          const content = { decision: { toString: "approve" } };
          await eve.post({ jsonrpc: "2.0", id: got.id, result: { action: "accept", content } }, here);
        } else if (got.result) {
          expect(got.result).toMatchObject({ isError: true });
        }
      }
      expect(asked).toBeLessThanOrEqual(3);
    },
  },
];
