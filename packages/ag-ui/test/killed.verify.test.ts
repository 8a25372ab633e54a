import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { HttpAgent } from "@ag-ui/client";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AgUiEvent } from "../src/index.ts";
import { checkRun } from "./support/check-run.ts";
import { clientAfter, faultsOfJudges } from "./support/judge.ts";
import { framesAsTheyCome, ofType, outcomeOf, user } from "./support/served.ts";

async function start(path: string, how: "hang" | "answer") {
  const file = fileURLToPath(new URL("support/server-process.ts", import.meta.url));
  const child = spawn(process.execPath, [file, path, how], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const kill = async () => {
    child.kill("SIGKILL");
    await closed;
  };
  onTestFinished(kill);
  const [port] = (await once(createInterface(child.stdout), "line")) as [string];
  return { url: `http://127.0.0.1:${port}/ag-ui`, kill };
}

/**
 * A response that breaks off ends, as behind a proxy. (`HttpAgent` leaves a rejection unhandled where a connection is lost.)
 */
async function torn(url: string, init: RequestInit): Promise<Response> {
  const { body, status, headers } = await fetch(url, init);
  const reader = body?.getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = (await reader?.read().catch(() => undefined)) ?? {};
      if (value) controller.enqueue(value);
      else controller.close();
    },
  });
  return new Response(stream, { status, headers });
}

/** A client that reads the beginning of a text, when its server is killed. */
async function broken(path: string) {
  const { url, kill } = await start(path, "hang");
  const agent = new HttpAgent({ url, threadId: "thread", fetch: torn });
  agent.addMessage(user("m1", "Tell a story."));
  const run = agent.runAgent(
    { runId: "first" },
    {
      onTextMessageContentEvent: ({ textMessageBuffer, event }) => {
        if (`${textMessageBuffer}${event.delta}` === "Once upon a time") void kill();
      },
    },
  );
  await run;
  expect(agent.messages.map(({ content }) => content)).toEqual(["Tell a story.", "Once upon a time"]);
  return agent;
}

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-ag-ui-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "store.db");
}

describe("a server that is killed in the middle of a text", () => {
  it("is followed by one that writes it anew: a client that runs again loses the torn text, and has the turn once", async () => {
    const path = file();
    const agent = await broken(path);
    const { url } = await start(path, "answer");
    agent.url = url;
    const events: AgUiEvent[] = [];
    await agent.runAgent(
      { runId: "second" },
      { onEvent: ({ event }) => void events.push(event as unknown as AgUiEvent) },
    );
    expect([...(await faultsOfJudges(events)), ...checkRun(events)]).toEqual([]);
    expect(ofType(events, "MESSAGES_SNAPSHOT")).toHaveLength(1);
    expect(agent.messages.map(({ role, content }) => `${role} ${content}`)).toEqual([
      "user Tell a story.",
      "assistant Once more, whole.",
    ]);
    expect(agent.state.status).toBe("idle");
  }, 120_000);

  it("is followed by one that goes on from the number that a reader has seen", async () => {
    const path = file();
    const { messages } = await broken(path);
    const { url } = await start(path, "answer");
    const events: AgUiEvent[] = [];
    const response = await fetch(`${url}/thread`, { headers: { "last-event-id": "2" } });
    for await (const { event } of framesAsTheyCome(response)) events.push(event);
    expect([...(await faultsOfJudges(events)), ...checkRun(events)]).toEqual([]);
    expect(outcomeOf(events)).toEqual({ type: "success" });
    const after = await clientAfter(events, messages);
    expect(after.messages.map(({ content }) => content)).toEqual(["Tell a story.", "Once more, whole."]);
  }, 120_000);
});
