import {
  type AnyMessage,
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import type { Acp, AcpConnection } from "../../src/index.ts";

/** A message on its way, and who has sent it. */
export interface Sent {
  readonly from: "editor" | "agent";
  readonly message: AnyMessage;
}

export interface EditorOptions {
  capabilities?: ClientCapabilities;
  permission?: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
  form?: (
    request: CreateElicitationRequest,
    signal: AbortSignal,
  ) => CreateElicitationResponse | Promise<CreateElicitationResponse>;
  files?: Map<string, string>;
}

export const chosen = (optionId: string): RequestPermissionResponse => ({ outcome: { outcome: "selected", optionId } });

/** An editor of the SDK that uses an agent in this process, and keeps every message. */
export function editor(acp: Acp, options: EditorOptions = {}) {
  const sent: Sent[] = [];
  const updates: SessionUpdate[] = [];
  const { agentSide, editorSide } = streams(sent);
  const { files = new Map<string, string>() } = options;
  const served: AcpConnection = acp.connect(agentSide);
  const connection: ClientConnection = client({ name: "test" })
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .onRequest("session/request_permission", ({ params, signal }) => {
      const answer = options.permission?.(params, signal) ?? chosen("deny");
      return cancelled(answer, signal, { outcome: { outcome: "cancelled" as const } });
    })
    .onRequest("elicitation/create", ({ params, signal }) => options.form?.(params, signal) ?? { action: "decline" })
    .onRequest("fs/read_text_file", ({ params }) => {
      const content = files.get(params.path);
      if (content === undefined) throw new Error("There is no such file.");
      return { content };
    })
    .onRequest("fs/write_text_file", ({ params }) => {
      files.set(params.path, params.content);
      return {};
    })
    .onRequest("terminal/create", () => ({ terminalId: "term-1" }))
    .onRequest("terminal/output", () => ({ output: "printed", truncated: false }))
    .onRequest("terminal/wait_for_exit", () => ({ exitCode: 0 }))
    .onRequest("terminal/kill", () => ({}))
    .onRequest("terminal/release", () => ({}))
    .connect(editorSide);
  onTestFinished(async () => {
    connection.close();
    await served.close();
  });
  const { agent } = connection;
  const initialize = () =>
    agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: options.capabilities ?? {},
      clientInfo: { name: "test editor", version: "1" },
    });
  const open = async () => {
    await initialize();
    return (await agent.request("session/new", { cwd: "/project", mcpServers: [] })).sessionId;
  };
  const prompt = (sessionId: string, text: string): Promise<PromptResponse> =>
    agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  const cancel = (sessionId: string) => agent.notify("session/cancel", { sessionId });
  return { agent, connection, served, sent, updates, initialize, open, prompt, cancel, files };
}

/** An editor that was told to forget a question says so. */
async function cancelled<T>(answer: T | Promise<T>, signal: AbortSignal, otherwise: T): Promise<T> {
  const aborted = Promise.withResolvers<T>();
  signal.addEventListener("abort", () => aborted.resolve(otherwise), { once: true });
  return Promise.race([answer, aborted.promise]);
}

/** Two ends of one connection. Messages are copied as JSON, as a pipe would. */
export function streams(sent: Sent[] = []) {
  const through = (from: Sent["from"]) =>
    new TransformStream<AnyMessage, AnyMessage>({
      transform(message, controller) {
        const copy: AnyMessage = JSON.parse(JSON.stringify(message));
        sent.push({ from, message: copy });
        controller.enqueue(copy);
      },
    });
  const [toAgent, toEditor] = [through("editor"), through("agent")];
  return {
    agentSide: { readable: toAgent.readable, writable: toEditor.writable },
    editorSide: { readable: toEditor.readable, writable: toAgent.writable },
  };
}

export const textOf = (updates: readonly SessionUpdate[], kind = "agent_message_chunk") =>
  updates
    .map((update) => (update.sessionUpdate === kind && "content" in update ? update.content : undefined))
    .map((content) => (content && "text" in content ? content.text : ""))
    .join("");

export const ofKind = <Kind extends SessionUpdate["sessionUpdate"]>(updates: readonly SessionUpdate[], kind: Kind) =>
  updates.filter((update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind);
