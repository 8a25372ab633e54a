import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Conversation, createClient } from "@cogency/client";
import { onTestFinished } from "vitest";

export interface StartedServer {
  url: string;
  /** A conversation as a page sees it, which is followed until the test has ended. */
  conversation(id: string): Conversation;
  /** Ends the process, and resolves with its exit code. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

/** Starts the server in a process of its own, on a free port. */
export async function startServer(folder: string): Promise<StartedServer> {
  const server = spawn(process.execPath, [join(import.meta.dirname, "../../server.ts"), folder], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    if (server.exitCode !== null || server.signalCode !== null) return server.exitCode;
    const closed = once(server, "close");
    server.kill(signal);
    const [code] = (await closed) as [number | null];
    return code;
  };
  onTestFinished(async () => void (await end("SIGKILL")));
  const [line] = (await once(createInterface(server.stdout), "line")) as [string];
  const url = line.replace("Open ", "");
  return {
    url,
    conversation(id) {
      const conversation = createClient({ url: `${url}/api` }).conversation(id);
      onTestFinished(conversation.subscribe(() => {}));
      return conversation;
    },
    end,
  };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "example-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
