import { expect } from "vitest";
import { type Answer, answerOf, initialize, request, streamed } from "../raw-client.ts";
import { approved, noSuchTask, tasksOf } from "../tasks.ts";
import type { Attack, Target } from "./attack.ts";

const extension = { extensions: { "io.modelcontextprotocol/tasks": {} } };

async function tasksIn(client: Target["eve"]) {
  const here = await client.session();
  const { ask, ...tasks } = tasksOf(client, here);
  const begin = (name: string, task: unknown = {}) => ask("tools/call", { name, arguments: {}, task });
  return { ...tasks, ask, here, begin };
}

/** What somebody else may ask about the task of ada, in both revisions. */
async function triedBy({ eve }: Target, taskId: unknown): Promise<readonly Answer[]> {
  const { get, result, cancel } = await tasksIn(eve);
  const modern = ["tasks/get", "tasks/update", "tasks/cancel"].map((method) =>
    eve.modern(method, { taskId }, extension, { "mcp-name": String(taskId) }),
  );
  return Promise.all([get(taskId), result(taskId), cancel(taskId), ...modern]);
}

export const taskAttacks: readonly Attack[] = [
  {
    name: "begins 1,000 tasks that never end",
    async play({ eve }) {
      const { begin, ask } = await tasksIn(eve);
      const begun = [];
      for (let at = 0; at < 1000; at++) begun.push(await begin("wait"));
      expect(begun.filter(({ result }) => result)).toHaveLength(32);
      expect(begun.at(-1)?.error.message).toContain("32 calls run already");
      expect((await ask("tasks/list")).result.tasks).toHaveLength(32);
    },
  },
  {
    name: "begins 1,000 tasks that end, and reads none",
    async play({ eve }) {
      const { begin, until } = await tasksIn(eve);
      const begun = [];
      for (let at = 0; at < 1000; at++) {
        const one = await begin("steps");
        if (one.result) await until(one.result.task.taskId, "completed");
        begun.push(one);
      }
      expect(begun.filter(({ result }) => result)).toHaveLength(40);
      expect(begun.at(-1)?.error.message).toContain("40 tasks are kept already");
    },
    runs: Array.from({ length: 40 }, () => "steps"),
  },
  {
    name: "guesses the ids of tasks",
    async play(target) {
      await (await tasksIn(target.ada)).begin("wait");
      const guesses = Array.from({ length: 50 }, () => crypto.randomUUID());
      for (const taskId of [...guesses, "__proto__", "constructor", ""]) {
        for (const { error } of await triedBy(target, taskId))
          expect(error).toMatchObject({ code: expect.any(Number) });
      }
      const { ask } = await tasksIn(target.eve);
      for (const taskId of [1, null, {}, ["a"], undefined]) {
        expect((await ask("tasks/get", { taskId })).error).toEqual(noSuchTask);
      }
    },
  },
  {
    name: "asks about, answers and cancels the task of another user",
    async play(target) {
      const { begin, get } = await tasksIn(target.ada);
      const { taskId } = (await begin("wait")).result.task;
      for (const { error } of await triedBy(target, taskId)) expect(error).toEqual(noSuchTask);
      expect((await (await tasksIn(target.eve)).ask("tasks/list")).result.tasks).toEqual([]);
      expect((await get(taskId)).result.status).toBe("working");
    },
  },
  {
    name: "waits 100 times for the result of a task before its end, and cancels it twice",
    async play({ eve }) {
      const { begin, cancel, here } = await tasksIn(eve);
      const { taskId } = (await begin("wait")).result.task;
      const waiting = [];
      for (let id = 1000; id < 1100; id++) {
        waiting.push(await eve.post(request("tasks/result", { taskId }, id), here));
      }
      expect((await cancel(taskId)).result.status).toBe("cancelled");
      expect((await cancel(taskId)).error).toMatchObject({ code: -32602 });
      for (const response of waiting) expect((await answerOf(response)).error.message).toContain("was cancelled");
    },
  },
  {
    name: "leaves a question of a task, and answers it by a request of its own making",
    async play({ eve }) {
      const here = await eve.session({ elicitation: {} });
      const { ask, until, cancel } = tasksOf(eve, here);
      const { taskId } = (await ask("tools/call", { name: "write", arguments: { path: "a.md" }, task: {} })).result
        .task;
      await until(taskId, "input_required");
      for (const id of [0, 1, "input-1", taskId]) await eve.post({ jsonrpc: "2.0", id, result: approved }, here);
      const update = { taskId, inputResponses: { "input-1": approved } };
      expect((await ask("tasks/update", update)).error).toMatchObject({ code: -32601 });
      const waiting = streamed(await eve.post(request("tasks/result", { taskId }, 9), here));
      await waiting.return(undefined);
      await until(taskId, "input_required");
      await cancel(taskId);
    },
  },
  {
    name: "asks for tasks in a revision without them",
    async play({ eve }) {
      const older = { ...initialize(), protocolVersion: "2025-06-18" };
      const response = await eve.post(request("initialize", older, 0));
      const here = { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
      await response.text();
      const { ask } = tasksOf(eve, here);
      for (const method of ["get", "result", "list", "cancel", "update"]) {
        expect((await ask(`tasks/${method}`, { taskId: "t" })).error).toMatchObject({ code: -32601 });
      }
    },
  },
  {
    name: "wants tasks for times that are none",
    async play({ eve }) {
      const { begin, ask } = await tasksIn(eve);
      for (const ttl of [-1, 0, "60000", null, {}, [1]]) {
        expect((await begin("add", { ttl })).error).toMatchObject({ code: expect.any(Number) });
      }
      for (const task of [1, "now", [{}], true]) {
        expect((await begin("add", task)).error).toMatchObject({ code: expect.any(Number) });
      }
      expect((await ask("tasks/list")).result.tasks).toEqual([]);
      const { result } = await begin("wait", { ttl: Number.MAX_VALUE });
      expect(result.task.ttl).toBe(3_600_000);
    },
  },
];
