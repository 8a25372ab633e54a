import { statSync } from "node:fs";
import type { AcpOpening, AcpSession } from "@cogency/acp";
import type { Questions } from "@cogency/server";
import type { Store } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { realPath } from "../../base/files/real-path.ts";
import { scopeOf } from "../../base/scope-of.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { questionDesk } from "../../person/approval/question-desk.ts";
import { scopeIn } from "../../place/store/find-conversation.ts";
import { ChangingAgent, type ChangingChoice, type Opened } from "../../work/changing-agent.ts";
import { knownWindow } from "../../work/compaction.ts";
import { openJobsFor } from "../../work/jobs.ts";
import { CommandTurn } from "./command-turn.ts";
import { describedCall } from "./described-call.ts";
import { refused } from "./refused.ts";
import { SessionCommands } from "./session-commands.ts";
import { sessionModes } from "./session-modes.ts";
import { SessionNotices } from "./session-notices.ts";
import { sessionSettings } from "./session-settings.ts";

/** What the sessions of a process share. */
export interface SharedBySessions {
  /** Stays open when a session is closed. */
  readonly store: Store;
  /** Where it is. */
  readonly place: string;
  /** The options with the configuration of a folder. @throws UsageError for one that cannot be used */
  choiceIn(folder: string): Promise<ChangingChoice>;
}

/**
 * Opens the agent of a session in the folder that the editor names, as a chat there would.
 *
 * @throws MissingKeyError; UsageError for a folder, a configuration or a mode that cannot be used, and for a
 * conversation of another folder
 */
export async function openSession(opening: AcpOpening, shared: SharedBySessions): Promise<AcpSession> {
  const { session: conversation, cwd, servers, editor, additionalDirectories } = opening;
  const { store, place } = shared;
  checkFolder(cwd);
  const configured = await shared.choiceIn(cwd);
  const notices = new SessionNotices();
  if (configured.store !== place)
    notices.say("The store of this folder's configuration does not count: an editor has one for all folders.");
  // Questions are stored, so that another process may answer them.
  const choice: ChangingChoice = { ...configured, store: place, wait: true };
  const scope = scopeOf(choice.root);
  await refuseElsewhere(conversation, scope, store);
  if (additionalDirectories.length > 0)
    notices.say(`The tools reach ${oneLine(choice.root, 200)} alone, and no other folder that the editor names.`);
  const jobs = openJobsFor(choice, {
    warn: (text) => notices.say(text),
    send: async (to, notice) => (await changing.open()).agent.send(to, notice),
  });
  const turn = new CommandTurn(() => changing);
  const changing: ChangingAgent<ChangingChoice> = new ChangingAgent(choice, {
    jobs,
    store,
    servers,
    editor,
    capability: { name: "editor", hooks: [turn.hook] },
  });
  const close = async () => {
    await Promise.all([jobs.endAll(), changing.close()]);
  };
  try {
    return await sessionOf({ conversation, changing, turn, scope, notices, close });
  } catch (error) {
    await close();
    throw error;
  }
}

interface SessionParts {
  readonly conversation: string;
  readonly changing: ChangingAgent<ChangingChoice>;
  readonly turn: CommandTurn;
  readonly scope: string;
  readonly notices: SessionNotices;
  close(): Promise<void>;
}

async function sessionOf({ conversation, changing, turn, scope, notices, close }: SessionParts): Promise<AcpSession> {
  let now: Opened | undefined;
  let tell: (what: "modes" | "settings" | "commands") => void = () => {};
  const commands = new SessionCommands({ conversation, changing, turn, model: () => now?.model });
  const refreshCommands = async () => {
    if (await commands.refresh()) tell("commands");
  };
  changing.onServers = (servers) => {
    const stopNews = notices.follow(servers);
    // Servers that become ready bring prompts. What fails, the next turn says.
    const stopCommands = servers.onChange(() => void refreshCommands().catch(() => {}));
    return () => {
      stopNews();
      stopCommands();
    };
  };
  const opened = await changing.open();
  now = opened;
  const { root, mcp } = opened;
  for (const problem of mcp.found.problems) notices.say(problem);
  changing.onChange = () => {
    tell("modes");
    void changing.open().then(
      (changed) => {
        now = changed;
        tell("settings");
      },
      () => {},
    );
  };
  const [modes, settings] = await Promise.all([
    sessionModes(changing),
    sessionSettings(changing, () => (now ?? opened).model),
    commands.refresh(),
  ]);
  return {
    agent: () => refused(() => turn.agent()),
    questions: questionsOf(changing, scope),
    modes: { ...modes, set: (id) => refused(() => modes.set(id)) },
    settings: { list: () => settings.list(), set: (id, value) => refused(() => settings.set(id, value)) },
    commands,
    onChange(changed) {
      tell = changed;
      return () => {
        tell = () => {};
      };
    },
    onNotice: (tell) => notices.hear(tell),
    contextWindow: () => knownWindow(changing.choice, now?.model),
    isUntrusted: (path) => root.isMarked(realPath(path) ?? path),
    describeCall: (name, args) => describedCall(name, args, root.base),
    close,
  };
}

/** The desk of the agent as it is now. */
function questionsOf(changing: ChangingAgent<ChangingChoice>, scope: string): Questions {
  const desk = async () => {
    const { store, tools, mcp, standing } = await changing.open();
    const { redact: redacts } = changing.choice;
    return questionDesk({ store, tools: [...tools, ...mcp.tools()], rules: standing(), scope, redacts });
  };
  return {
    describe: async (key, question) => (await desk()).describe(key, question),
    keep: async (key, question, rule) => (await desk()).keep(key, question, rule),
  };
}

function checkFolder(cwd: string): void {
  const kind = kindOf(cwd);
  const shown = oneLine(cwd, 300);
  if (kind === "file") throw new UsageError(`${shown} is a file. A session works in a folder.`);
  if (kind === undefined) throw new UsageError(`There is no folder ${shown}, or it cannot be read.`);
}

function kindOf(path: string): "folder" | "file" | undefined {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}

/** Each folder has its own rules and tools. */
async function refuseElsewhere(conversation: string, scope: string, store: Store): Promise<void> {
  const origin = await scopeIn(conversation, store);
  if (origin === undefined || origin === scope) return;
  throw new UsageError(`This conversation belongs to the folder ${oneLine(origin, 300)}. Open it there.`);
}
