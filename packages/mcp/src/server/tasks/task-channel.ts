import {
  type JSONObject,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Task, TaskAsk, TaskChannel } from "./task.ts";
import { relatedTo } from "./task-views.ts";

/**
 * Asks and tells by a request that waits for the result of a task. A question that gets no answer here stays open, and the next request for
 * the result asks it again.
 *
 * @param patience milliseconds for one question
 */
export function taskChannel(task: Task, { mcpReq }: ServerContext, patience: number): TaskChannel {
  const left = new AbortController();

  async function put({ method, params, over, answer, refuse }: TaskAsk): Promise<void> {
    const signal = AbortSignal.any([left.signal, over, mcpReq.signal]);
    const related = { ...params, _meta: relatedTo(task) } as JSONObject;
    try {
      answer(await mcpReq.send({ method, params: related }, { timeout: patience, signal }));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ProtocolError) refuse(`It refused: ${error.message}`);
      else if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) refuse("Its answer is none.");
    }
  }

  return {
    put: (ask) => void put(ask),
    notify: (notification) => mcpReq.notify(notification),
    leave: () => left.abort(),
  };
}
