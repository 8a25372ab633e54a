import type { AnyMessage, ClientCapabilities } from "@agentclientprotocol/sdk";
import { expect } from "vitest";
import { streams } from "./editor.ts";
import { site } from "./site.ts";

/** A client that writes whatever it likes. */
export async function wild(here = site(["Hello!<end>"])) {
  const { agentSide, editorSide } = streams();
  const connection = here.acp.connect(agentSide);
  const writer = editorSide.writable.getWriter();
  const reader = editorSide.readable.getReader();
  const answers: AnyMessage[] = [];
  const reading = (async () => {
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read())
      if (value) answers.push(value);
  })().catch(() => {});
  const send = (message: unknown) => writer.write(message as AnyMessage);
  const answerTo = async (id: unknown) => {
    const find = () => answers.find((one) => !("method" in one) && one.id === id);
    await expect.poll(find, { timeout: 20_000 }).toBeDefined();
    return find() as { result?: Record<string, unknown>; error?: { code: number; message: string } };
  };
  const ask = async (id: unknown, request: object) => {
    await send({ jsonrpc: "2.0", id, ...request });
    return answerTo(id);
  };
  const begin = async (clientCapabilities: ClientCapabilities = {}) => {
    await ask("init", { method: "initialize", params: { protocolVersion: 1, clientCapabilities } });
    const { result } = await ask("new", { method: "session/new", params: { cwd: "/project", mcpServers: [] } });
    return `${result?.sessionId}`;
  };
  /** The request of the agent with this method, once it has come so often. */
  const asked = async (method: string, times = 1) => {
    const all = () => answers.filter((one) => "method" in one && "id" in one && one.method === method);
    await expect.poll(() => all().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(times);
    return all()[times - 1] as { id: number; params: Record<string, unknown> };
  };
  return { ...here, connection, send, ask, answerTo, answers, asked, begin, reading };
}
