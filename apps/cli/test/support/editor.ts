import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { PassThrough, Readable, Writable } from "node:stream";
import {
  type ClientCapabilities,
  client,
  type McpServer,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import type { Crossed } from "./acp-messages.ts";
import { editorTerminals } from "./editor-terminals.ts";

export interface EditorOptions {
  capabilities?: ClientCapabilities;
  /** The id of the option to choose, or a promise of it; null for an answer that never comes. */
  permission?: (request: RequestPermissionRequest) => string | null | Promise<string | null>;
  /** Texts that are not saved, by their paths. */
  buffers?: Map<string, string>;
}

/** An editor of the SDK that talks with a process, and keeps every line that crosses its pipes. */
export function editorOf(child: ChildProcessWithoutNullStreams, options: EditorOptions = {}) {
  const { buffers = new Map<string, string>() } = options;
  const crossed: Crossed[] = [];
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const terminals = editorTerminals();
  const [toAgent, toEditor] = [tee("editor", crossed), tee("agent", crossed)];
  toAgent.pipe(child.stdin);
  child.stdout.pipe(toEditor);
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const connection = client({ name: "test" })
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .onRequest("session/request_permission", async ({ params, signal }) => {
      asked.push(params);
      const withdrawn = new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null)));
      const answer = await Promise.race([options.permission?.(params) ?? "", withdrawn]);
      return { outcome: answer === null ? { outcome: "cancelled" } : { outcome: "selected", optionId: answer } };
    })
    .onRequest("fs/read_text_file", ({ params }) => {
      const content = buffers.get(params.path);
      if (content === undefined) throw new Error("There is no such file.");
      return { content };
    })
    .onRequest("fs/write_text_file", ({ params }) => {
      buffers.set(params.path, params.content);
      return {};
    })
    .onRequest("terminal/create", ({ params }) => terminals.start(params))
    .onRequest("terminal/output", ({ params }) => ({
      output: terminals.of(params.terminalId).output,
      truncated: false,
    }))
    .onRequest("terminal/wait_for_exit", ({ params }) => terminals.of(params.terminalId).ended)
    .onRequest("terminal/kill", ({ params }) => {
      terminals.of(params.terminalId).kill();
      return {};
    })
    .onRequest("terminal/release", ({ params }) => {
      terminals.of(params.terminalId).isReleased = true;
      return {};
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(toAgent) as WritableStream<Uint8Array>,
        Readable.toWeb(toEditor) as unknown as ReadableStream<Uint8Array>,
      ),
    );
  onTestFinished(() => connection.close());
  const { agent } = connection;
  const initialize = () =>
    agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: options.capabilities ?? {},
      clientInfo: { name: "test editor", version: "1" },
    });
  const begin = async (cwd: string, mcpServers: McpServer[] = []) => {
    await initialize();
    return agent.request("session/new", { cwd, mcpServers });
  };
  const prompt = (sessionId: string, text: string): Promise<PromptResponse> =>
    agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  const leave = async () => {
    toAgent.end();
    child.stdin.end();
    return closed;
  };
  return {
    ...{ agent, connection, crossed, updates, asked, buffers, initialize, begin, prompt, leave, closed, child },
    /** By their ids. */
    terminals: terminals.all,
    get stderr() {
      return stderr;
    },
  };
}

export type TestEditor = ReturnType<typeof editorOf>;

/** What was said in updates of a kind. */
export const saidIn = (
  updates: readonly SessionUpdate[],
  kind: SessionUpdate["sessionUpdate"] = "agent_message_chunk",
) =>
  updates
    .map((update) => (update.sessionUpdate === kind && "content" in update ? update.content : undefined))
    .map((content) => (content && "text" in content ? content.text : ""))
    .join("");

/** The option of a kind. */
export const option = ({ options }: RequestPermissionRequest, kind: string) =>
  options.find((one) => one.kind === kind)?.optionId ?? "";

function tee(from: Crossed["from"], crossed: Crossed[]): PassThrough {
  const through = new PassThrough();
  let rest = "";
  through.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") crossed.push({ from, line });
  });
  return through;
}
