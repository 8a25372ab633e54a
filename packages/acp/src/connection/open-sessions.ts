import type { AgentContext, McpServer } from "@agentclientprotocol/sdk";
import { startTimer } from "@cogency/async";
import type { AcpOpening, AcpOptions } from "../acp-options.ts";
import { editorOf } from "../editor/editor-of.ts";
import { namedServers } from "../in/named-servers.ts";
import { isAbsolute } from "../in/paths.ts";
import { OpenSession } from "../session/open-session.ts";
import type { EditorAbilities } from "./editor-abilities.ts";
import { refusal, refusalOf } from "./refusal.ts";
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
  /** One that is being opened is a promise. */
  readonly #sessions = new Map<string, Promise<OpenSession>>();
  #isClosed = false;

  constructor(options: AcpOptions, onError: (error: unknown) => void) {
    this.#options = options;
    this.#onError = onError;
  }

  /** @throws RequestError for a session that is not open */
  async get(session: string): Promise<OpenSession> {
    const open = this.#sessions.get(session);
    if (!open) throw refusal("notFound", `The session ${nameOf(session)} is not open. Load or resume it first.`);
    return open;
  }

  /**
   * Opens a session, in the place of the same one that is open and idle.
   *
   * @throws RequestError
   */
  async open(wanted: Wanted, client: AgentContext, can: EditorAbilities): Promise<OpenSession> {
    const { session } = wanted;
    checkWanted(wanted);
    await this.#checkExists(wanted);
    const before = this.#sessions.get(session);
    if (before) await this.#closeIdle(session, before);
    if (this.#sessions.size >= (this.#options.maxSessions ?? 32))
      throw refusal("invalid", "Too many sessions are open. Close one first.");
    const opening = this.#open(wanted, client, can);
    this.#sessions.set(session, opening);
    opening.catch(() => {
      if (this.#sessions.get(session) === opening) this.#sessions.delete(session);
    });
    const opened = await opening;
    // The answer to the request comes first.
    startTimer(0, () => {
      if (!this.#isClosed && this.#sessions.get(session) === opening) opened.announce();
    });
    return opened;
  }

  /** Does nothing for a session that is not open. */
  async close(session: string): Promise<void> {
    const open = this.#sessions.get(session);
    if (!open) return;
    this.#sessions.delete(session);
    await (await open).close(false);
  }

  /** The editor has gone. Resolves when nothing is at work any more. */
  async leave(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(all.map((open) => open.then((session) => session.close(true)).catch(this.#onError)));
  }

  async #closeIdle(session: string, before: Promise<OpenSession>): Promise<void> {
    if ((await before).isBusy)
      throw refusal("invalid", `The session ${nameOf(session)} is open and at work. Cancel its prompt first.`);
    await this.close(session);
  }

  async #checkExists({ session, kind }: Wanted): Promise<void> {
    if (kind === "new") return;
    const events = await this.#options.store.load({ conversation: session }, { last: 1 });
    if (events.length === 0) throw refusal("notFound", `There is no session ${nameOf(session)}.`);
  }

  async #open(wanted: Wanted, client: AgentContext, can: EditorAbilities): Promise<OpenSession> {
    const { store, open, mcp, explain } = this.#options;
    const { session, kind, cwd } = wanted;
    const additionalDirectories = wanted.additionalDirectories ?? [];
    const servers = namedServers(wanted.mcpServers ?? [], mcp);
    const opening = { session, kind, cwd, additionalDirectories };
    const made = await open({ ...opening, servers, editor: editorOf(client, can, session) }).catch((error: unknown) => {
      throw refusalOf(error);
    });
    const wire = wireOf(client, session);
    const opened = new OpenSession({ opening, made, store, wire, can, explain, onError: this.#onError });
    try {
      if (this.#isClosed) throw refusal("invalid", "The editor has gone.");
      await opened.begin();
    } catch (error) {
      await opened.close(true);
      throw error;
    }
    return opened;
  }
}

function checkWanted({ session, cwd, additionalDirectories }: Wanted): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no name of a conversation has them
  if (session === "" || session.length > 512 || /[\u0000-\u001f\u007f]/.test(session))
    throw refusal("params", "The id of a session has 1 to 512 characters, and no control characters.");
  const folders = [cwd, ...(additionalDirectories ?? [])];
  if (folders.length > 100 || !folders.every((folder) => isAbsolute(folder) && !folder.includes("\0")))
    throw refusal("params", "The folders of a session are absolute paths, at most 100.");
}

function nameOf(session: string): string {
  return JSON.stringify(session.slice(0, 100));
}
