import type { AgentContext, CreateTerminalRequest, TerminalOutputRequest } from "@agentclientprotocol/sdk";
import { askEditor } from "../connection/ask-editor.ts";
import type { EditorAbilities } from "../connection/editor-abilities.ts";
import type { Editor, EditorCommand, EditorTerminal } from "../editor.ts";

/** What the editor does for one session. */
export function editorOf(client: AgentContext, can: EditorAbilities, sessionId: string): Editor {
  const { name, read, write, terminals } = can;
  const files = {
    ...(read && {
      read: async (path: string, signal?: AbortSignal) =>
        (await askEditor(client, "fs/read_text_file", { sessionId, path }, signal)).content,
    }),
    ...(write && {
      write: async (path: string, text: string, signal?: AbortSignal) => {
        await askEditor(client, "fs/write_text_file", { sessionId, path, content: text }, signal);
      },
    }),
  };
  return {
    ...(name !== undefined && { name }),
    ...((read || write) && { files }),
    ...(terminals && { terminals: { start: (command, signal) => start(client, sessionId, command, signal) } }),
  };
}

async function start(
  client: AgentContext,
  sessionId: string,
  { command, args = [], env = {}, cwd, outputBytes }: EditorCommand,
  signal?: AbortSignal,
): Promise<EditorTerminal> {
  const request: CreateTerminalRequest = {
    sessionId,
    command,
    args: [...args],
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    ...(cwd !== undefined && { cwd }),
    ...(outputBytes !== undefined && { outputByteLimit: outputBytes }),
  };
  const { terminalId } = await askEditor(client, "terminal/create", request);
  const named: TerminalOutputRequest = { sessionId, terminalId };
  const terminal: EditorTerminal = {
    id: terminalId,
    async output() {
      const { output, truncated } = await askEditor(client, "terminal/output", named);
      return { text: output, isCut: truncated };
    },
    async ended(ending) {
      const exit = await askEditor(client, "terminal/wait_for_exit", named, ending);
      return { code: exit.exitCode ?? undefined, signal: exit.signal ?? undefined };
    },
    kill: async () => void (await askEditor(client, "terminal/kill", named)),
    release: async () => void (await askEditor(client, "terminal/release", named)),
  };
  // The program began while nobody wanted it any more.
  if (signal?.aborted) {
    await terminal.release();
    signal.throwIfAborted();
  }
  return terminal;
}
