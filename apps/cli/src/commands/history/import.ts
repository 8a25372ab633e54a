import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isConflictError, type Key, type Store } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { put } from "../../base/terminal/output.ts";
import { counted, oneLine, visible } from "../../base/terminal/text.ts";
import { openStore } from "../../place/store/open-store.ts";
import type { HistoryOptions } from "../../place/store/with-history.ts";
import type { ConversationHeader } from "../../work/export/export-format.ts";
import { type ImportedConversation, importConversation } from "./import-conversation.ts";
import { readExport } from "./read-export.ts";

export interface ImportOptions extends HistoryOptions {
  /** Another name for the only conversation in the file. */
  as?: string;
}

/**
 * `cogency history import`. Leaves out approvals and marks of origin. Stores nothing unless every line is valid and none of
 * the conversations exists. Each conversation is stored as a whole or not at all.
 *
 * @param file "-" for stdin
 * @throws UsageError for a file that is not an export, or conversations that exist already
 */
export async function importHistory(file: string, options: ImportOptions, signal: AbortSignal): Promise<void> {
  await withFile(file, signal, async (path) => {
    const name = file === "-" ? "stdin" : visible(file);
    const headers = await checked(path, name, options, signal);
    const store = await openStore(options.store);
    try {
      for (const header of headers) {
        const key = keyOf(header, options);
        if ((await store.load(key, { last: 1 })).length > 0) throw alreadyThere(key, headers.length === 1);
      }
      await storeAll(path, name, options, store, signal);
    } finally {
      await store.close();
    }
  });
}

/** Copies stdin to a file that only this user can read, because the import reads its input twice. */
async function withFile(file: string, signal: AbortSignal, use: (path: string) => Promise<void>): Promise<void> {
  if (file !== "-") {
    const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
      throw new UsageError(`${file} cannot be read: ${cause.message}.`, { cause });
    });
    if (!found.isFile()) throw new UsageError(`${file} cannot be read: it is not a regular file. "-" reads stdin.`);
    return use(file);
  }
  const folder = await mkdtemp(join(tmpdir(), "cogency-import-"));
  try {
    const path = join(folder, "stdin");
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal });
    await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Checks every line of a file, and returns its headers. */
async function checked(
  path: string,
  name: string,
  { as, user: owner }: ImportOptions,
  signal: AbortSignal,
): Promise<ConversationHeader[]> {
  const headers = new Map<string, ConversationHeader>();
  for await (const item of readExport(path, name)) {
    signal.throwIfAborted();
    if (!("header" in item)) continue;
    const { conversation, user } = item.header;
    const id = JSON.stringify([owner ?? user ?? null, conversation]);
    const same = headers.get(id);
    if (same) {
      const how = same.user === user ? "twice" : "of two users; leave --user out";
      throw new UsageError(
        `${name} line ${item.line}: the conversation "${oneLine(conversation, 60)}" is there ${how}. Nothing was imported.`,
      );
    }
    headers.set(id, item.header);
  }
  if (as !== undefined && headers.size > 1) {
    throw new UsageError(`--as names a single conversation, and ${name} holds ${headers.size}.`);
  }
  return [...headers.values()];
}

async function storeAll(
  path: string,
  name: string,
  options: ImportOptions,
  store: Store,
  signal: AbortSignal,
): Promise<void> {
  let current: ImportedConversation | undefined;
  let header: ConversationHeader | undefined;
  const imported: string[] = [];
  const dropped = { approval: 0, origin: 0 };
  let stored = 0;
  const finish = async () => {
    await current?.finish();
    current = undefined;
    if (!header) return;
    const name = described(keyOf(header, options));
    imported.push(
      stored > 0 ? `imported ${name} · ${counted(stored, "event")}\n` : `not imported: ${name}, which is empty\n`,
    );
    stored = 0;
  };
  try {
    for await (const item of readExport(path, name)) {
      signal.throwIfAborted();
      if ("header" in item) {
        await finish();
        header = item.header;
        current = importConversation(keyOf(header, options), store);
        continue;
      }
      const { event } = item;
      if (event.type === "record" && (event.kind === "approval" || event.kind === "origin")) dropped[event.kind]++;
      // What a file wants of an answer, and its tools, would stand in the instructions of the model. Agents below are conversations of
      // their own.
      else if (event.type === "record" && ["object", "client_tools", "child", "parent"].includes(event.kind)) continue;
      else {
        await current?.add(event);
        stored++;
      }
    }
    await finish();
  } catch (error) {
    await current?.abandon(error);
    throw header && isConflictError(error) ? alreadyThere(keyOf(header, options), true) : error;
  } finally {
    // Prints last: a reader who leaves ends the command, which must not stop half-way.
    await put(imported.join(""));
    tellDropped(dropped);
  }
}

/** Signatures are valid only in the store of the installation that made them: a file could bring forged approvals. */
function tellDropped({ approval, origin }: { approval: number; origin: number }): void {
  const what = [
    ...(approval > 0 ? [counted(approval, "approval")] : []),
    ...(origin > 0 ? [counted(origin, "mark of origin", "marks of origin")] : []),
  ];
  if (what.length === 0) return;
  const verb = approval + origin === 1 ? "was" : "were";
  note(`${what.join(" and ")} ${verb} dropped: they count only where they were given, and what asked then asks again.`);
}

function keyOf({ conversation, user }: ConversationHeader, { as, user: owner }: ImportOptions): Key {
  return { conversation: as ?? conversation, user: owner ?? user };
}

function alreadyThere(key: Key, isOnly: boolean): UsageError {
  const advice = isOnly
    ? "Give it another name with --as, or delete that one."
    : "Delete it, or export the others only.";
  return new UsageError(`The conversation ${described(key)} is there already, and was not imported. ${advice}`);
}

function described({ conversation, user }: Key): string {
  return `${oneLine(conversation, 60)}${user === undefined ? "" : ` of ${oneLine(user, 60)}`}`;
}
