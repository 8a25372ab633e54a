import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { AgentHook } from "@cogency/agent/hooks";
import type { LogEvent } from "@cogency/protocol";
import type { Key } from "@cogency/storage";
import type { NoticeContent } from "@cogency/storage/adapter";
import type { ToolExecution } from "@cogency/tools";
import { sha256 } from "@cogency/tools/host";
import { oneLine } from "../../base/terminal/text.ts";
import { filesSource, SeenFiles } from "./seen-files.ts";

interface Options {
  /** Where the paths of the model begin. */
  base: string;
  isReadOnly(tool: string): boolean;
  /** Sends a notice; the same id twice is one notice. */
  send(to: Key, notice: NoticeContent, id: string): Promise<unknown>;
}

/** The most files that are named at one moment. */
const mostNamed = 10;

/**
 * Tells the model at the begin of a turn, and between its steps, which files that it has read or written have changed since: by the person's
 * editor, another program, or a command in the background. What the conversation's own calls change does not count.
 */
export function changedFilesHook({ base, isReadOnly, send }: Options): AgentHook {
  const seenBy = new Map<string, SeenFiles>();
  const look = async (
    { conversation, user, events }: Key & { events: readonly LogEvent[] },
    executions: readonly ToolExecution[],
  ): Promise<void> => {
    const name = JSON.stringify([conversation, user]);
    const seen = seenBy.get(name) ?? new SeenFiles(isReadOnly);
    seenBy.set(name, seen);
    seen.read(events);
    seen.readCalls(executions);
    try {
      for (const { id, notice } of await noticesOf(seen, base)) await send({ conversation, user }, notice, id);
    } catch {
      // The next step looks again; where the store fails, the run says so itself.
    }
  };
  return {
    name: "changed files",
    async beforeRun({ conversation, user, state }) {
      await look({ conversation, user, events: state.events }, []);
      return undefined;
    },
    async afterStep({ conversation, user, state, executions, outcome }) {
      // After an answer nobody reads it now; the next turn looks again.
      if (outcome !== "answered") await look({ conversation, user, events: state.events }, executions);
      return undefined;
    },
    afterRun({ conversation, user }) {
      seenBy.delete(JSON.stringify([conversation, user]));
      return undefined;
    },
  };
}

interface FileNotice {
  readonly id: string;
  readonly notice: NoticeContent;
}

/** One of each file, as far as they are named, and one of all others. They are read at one moment, so they become one event. */
async function noticesOf(seen: SeenFiles, base: string): Promise<FileNotice[]> {
  const found = await Promise.all(
    seen.files.map(async (file) => {
      const changedAt = await changeOf(resolve(base, file));
      return changedAt !== undefined && seen.isNews(file, changedAt) ? [{ file, changedAt }] : [];
    }),
  );
  // The last seen first: those are what the model works with.
  const changed = found.flat().reverse();
  const [named, others] = [changed.slice(0, mostNamed), changed.slice(mostNamed)];
  const notices = named.map(({ file, changedAt }) =>
    noticeOf(file, changedAt, `${oneLine(JSON.stringify(file), 120)} has changed since you read or wrote it.`),
  );
  if (others.length > 0) {
    const at = Math.max(...others.map(({ changedAt }) => changedAt));
    const text = `${others.length} more files have changed since you read or wrote them. Read a file again before you rely on it.`;
    // No file has this name.
    notices.unshift(noticeOf("/", at, text));
  }
  return Promise.all(notices);
}

async function noticeOf(topic: string, changedAt: number, content: string): Promise<FileNotice> {
  const id = `file:${(await sha256(JSON.stringify([topic, changedAt]))).slice(0, 32)}`;
  return { id, notice: { kind: "notice", source: filesSource, topic, wakes: false, content } };
}

/** When a file was changed, by the clock of its file system, as Unix time in seconds; undefined for one that is gone: to read it fails. */
async function changeOf(path: string): Promise<number | undefined> {
  try {
    const { ctimeMs } = await stat(path);
    return ctimeMs / 1000;
  } catch {
    return undefined;
  }
}
