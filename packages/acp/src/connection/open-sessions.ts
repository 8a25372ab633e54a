import type { AgentContext, McpServer } from "@agentclientprotocol/sdk";
import { startTimer } from "@cogency/async";
import type { AcpOpening, AcpOptions } from "../acp-options.ts";
import { editorOf } from "../editor/editor-of.ts";
import { checkFolder } from "../in/check-folder.ts";
import { namedServers } from "../in/named-servers.ts";
import { OpenSession } from "../session/open-session.ts";
import type { EditorAbilities } from "./editor-abilities.ts";
import { byHost, named, refusal } from "./refusal.ts";
import { wireOf } from "./wire.ts";

/** What a request says about the session that it wants. */
export interface Wanted {
  readonly session: string;
  readonly kind: AcpOpening["kind"];
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | null | undefined;
  readonly mcpServers?: readonly McpServer[] | null | undefined;
}

/** The sessions that one editor has open. */
export class OpenSessions {
  readonly #options: AcpOptions;
  readonly #onError: (error: unknown) => void;
  readonly #sessions = new Map<string, OpenSession>();
  /** The last opening or closing of each session. They come one after another. */
  readonly #changes = new Map<string, Promise<unknown>>();
  /** Those that are being opened, and are not open yet. */
  readonly #coming = new Set<string>();
  #isClosed = false;

  constructor(options: AcpOptions, onError: (error: unknown) => void) {
    this.#options = options;
    this.#onError = onError;
  }

  /** Waits for one that is being opened. @throws RequestError for a session that is not open */
  async get(session: string): Promise<OpenSession> {
    if (!this.#sessions.has(session)) await this.#changes.get(session)?.catch(() => {});
    const open = this.#sessions.get(session);
    if (!open) throw refusal("notFound", `The session ${named(session)} is not open. Load or resume it first.`);
    return open;
  }

  /**
   * Opens a session, in the place of the same one that is open and idle. If that fails, the one that was open stays.
   *
   * @throws RequestError
   */
  async open(wanted: Wanted, client: AgentContext, can: EditorAbilities): Promise<OpenSession> {
    const { session } = wanted;
    checkWanted(wanted);
    const opened = await this.#change(session, async () => {
      await this.#checkExists(wanted);
      this.#checkIdle(session);
      if (this.#sessions.has(session)) return this.#open(wanted, client, can);
      this.#checkCount();
      this.#coming.add(session);
      return this.#open(wanted, client, can).finally(() => this.#coming.delete(session));
    });
    // The answer to the request comes first.
    startTimer(0, () => {
      if (!this.#isClosed && this.#sessions.get(session) === opened) opened.announce();
    });
    return opened;
  }

  /** Does nothing for a session that is not open. */
  close(session: string): Promise<void> {
    return this.#change(session, async () => {
      const open = this.#sessions.get(session);
      this.#sessions.delete(session);
      await open?.close(false);
    });
  }

  /** The editor has gone. Resolves when nothing is at work any more. */
  async leave(): Promise<void> {
    this.#isClosed = true;
    const leave = (open: OpenSession) => open.close(true).catch(this.#onError);
    await Promise.all([...this.#sessions.values()].map(leave));
    // What was being opened closes itself.
    await Promise.allSettled(this.#changes.values());
    this.#sessions.clear();
  }

  async #change<T>(session: string, work: () => Promise<T>): Promise<T> {
    const before = this.#changes.get(session) ?? Promise.resolve();
    const change = before.then(work, work);
    this.#changes.set(session, change);
    try {
      return await change;
    } finally {
      if (this.#changes.get(session) === change) this.#changes.delete(session);
    }
  }

  #checkIdle(session: string): void {
    if (this.#sessions.get(session)?.isBusy)
      throw refusal("invalid", `The session ${named(session)} is open and at work. Cancel its prompt first.`);
  }

  #checkCount(): void {
    if (this.#sessions.size + this.#coming.size >= (this.#options.maxSessions ?? 32))
      throw refusal("invalid", "Too many sessions are open. Close one first.");
  }

  async #checkExists({ session, kind }: Wanted): Promise<void> {
    if (kind === "new") return;
    const events = await this.#options.store.load({ conversation: session }, { last: 1 });
    if (events.length === 0) throw refusal("notFound", `There is no session ${named(session)}.`);
  }

  async #open(wanted: Wanted, client: AgentContext, can: EditorAbilities): Promise<OpenSession> {
    const { store, open, mcp, explain } = this.#options;
    const { session, kind, cwd } = wanted;
    const additionalDirectories = wanted.additionalDirectories ?? [];
    const servers = namedServers(wanted.mcpServers ?? [], mcp);
    const opening = { session, kind, cwd, additionalDirectories };
    const editor = editorOf(client, can, session);
    const made = await byHost(() => open({ ...opening, servers, editor }));
    const wire = wireOf(client, session);
    const opened = new OpenSession({ opening, made, store, wire, can, explain, onError: this.#onError });
    try {
      await this.#replace(session, opened);
    } catch (error) {
      await opened.close(true);
      throw error;
    }
    return opened;
  }

  /** Puts a session in the place of the same one. */
  async #replace(session: string, opened: OpenSession): Promise<void> {
    if (this.#isClosed) throw refusal("invalid", "The editor has gone.");
    // A prompt may have come meanwhile.
    this.#checkIdle(session);
    const before = this.#sessions.get(session);
    this.#sessions.delete(session);
    await before?.close(false);
    await opened.begin();
    if (this.#isClosed) throw refusal("invalid", "The editor has gone.");
    this.#sessions.set(session, opened);
  }
}

function checkWanted({ session, cwd, additionalDirectories }: Wanted): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no name of a conversation has them
  if (session === "" || session.length > 512 || /[\u0000-\u001f\u007f]/.test(session))
    throw refusal("params", "The id of a session has 1 to 512 characters, and no control characters.");
  const folders = [cwd, ...(additionalDirectories ?? [])];
  if (folders.length > 100) throw refusal("params", "A session has at most 100 folders.");
  for (const folder of folders) checkFolder(folder);
}
