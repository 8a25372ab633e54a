import type { Agent } from "@cogency/agent";
import { pageHtml, pagePolicy } from "@cogency/page/node";
import { anonymousUser, createHandler, type Questions } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { redactingStore, type Store } from "@cogency/storage";
import type { Cancellation } from "../../base/cancellation.ts";
import { complain } from "../../base/errors/message-of.ts";
import { browserCommand, openBrowser } from "../../base/open-browser.ts";
import { scopeOf } from "../../base/scope-of.ts";
import { isInForeground } from "../../base/terminal/in-foreground.ts";
import { note } from "../../base/terminal/note.ts";
import { type ApprovalOptions, createApproval } from "../../person/approval/approval.ts";
import { questionDesk } from "../../person/approval/question-desk.ts";
import { standingRules } from "../../person/approval/standing-rules.ts";
import type { Options } from "../../place/config/option-table.ts";
import { installationKeys, processKeys } from "../../place/installation-keys.ts";
import { findConversation } from "../../place/store/find-conversation.ts";
import { openStore } from "../../place/store/open-store.ts";
import { createBrowserSession } from "../../serve/browser-session.ts";
import { fragmentOf } from "../../serve/entrance.ts";
import { createGuard } from "../../serve/guard.ts";
import { listen } from "../../serve/listen.ts";
import type { WebPage } from "../../serve/web-page.ts";
import { chooseModel, type ModelChoice } from "../../work/choose-model.ts";
import { endWork } from "../../work/end-work.ts";
import { openJobsFor } from "../../work/jobs.ts";
import { type AgentChoice, type OpenAgent, openAgent } from "../../work/open-agent.ts";
import { forkConversation } from "../../work/undo/fork-conversation.ts";
import { onEnter } from "./on-enter.ts";
import { pageSender } from "./page-sender.ts";
import { workUntil } from "./work-until.ts";

export interface OpenCommandOptions
  extends ModelChoice,
    AgentChoice,
    ApprovalOptions,
    Required<Options<"store">>,
    Options<"redact"> {
  port?: number;
  /** False with `--no-browser`. */
  browser: boolean;
}

/**
 * `cogency open`: serves a page on the conversations of the store, and works on what is asked there, until it is cancelled.
 *
 * @param wanted the conversation to show first
 * @returns the exit code
 * @throws UsageError, StoreError
 */
export async function openCommand(
  wanted: string | undefined,
  options: OpenCommandOptions,
  cancellation: Cancellation,
): Promise<number> {
  const { store: place, redact } = options;
  const model = await chooseModel(options);
  const keyRing = place === ":memory:" ? processKeys() : await installationKeys();
  const kept = await openStore(place);
  const jobs = openJobsFor(options, { warn: note, send: async (to, notice) => made?.agent.send(to, notice) });
  let made: OpenAgent | undefined;
  try {
    const store = redact ? redactingStore(kept) : kept;
    const conversation = wanted === undefined ? undefined : await findConversation(wanted, store, place);
    // A question waits for an answer on the page.
    const waiting = { ...options, wait: true } as const;
    const opened = await openAgent(waiting, { ...model, store, place, keyRing, jobs }, (surroundings, ofFiles, asked) =>
      createApproval(waiting, surroundings, undefined, ofFiles, { asked }),
    );
    made = opened;
    const scope = scopeOf(options.root);
    const rules = standingRules(options.allow ?? [], opened.surroundings, opened.kept);
    const questions = questionDesk({ store, tools: opened.tools, rules, scope, redacts: redact });
    await cancellation.during((signal) => serve({ opened, store, questions, scope, conversation, options, signal }));
  } finally {
    await made?.memory.leave();
    await kept.close();
    await endWork(jobs, made);
  }
  return cancellation.exitCode;
}

interface Served {
  opened: OpenAgent;
  store: Store;
  questions: Questions;
  scope: string;
  conversation: string | undefined;
  options: OpenCommandOptions;
  signal: AbortSignal;
}

async function serve({ opened, store, questions, scope, conversation, options, signal }: Served): Promise<void> {
  const { agent } = opened;
  const { server, host } = await listen(options.port);
  let closeBrowserFile = async () => {};
  let leaveTerminal = () => {};
  try {
    const session = createBrowserSession(host.replace(/.*:/, ""));
    const prefix = `${session.path}/api`;
    const fork: Agent["fork"] = async (from, point = {}) => {
      const { fork: made, problem } = await forkConversation(from, point, { agent, store, place: options.store });
      if (problem !== undefined) note(problem);
      return made;
    };
    const api = createHandler({
      agent: { send: pageSender(agent, store, scope, opened), fork },
      store,
      questions,
      prefix,
      // The guard has let this browser in.
      authenticate: () => ({ id: anonymousUser, name: "the page", scopes: ["log", "thinking"] }),
      maxBodyBytes: mostBytes,
      onError: complain,
    });
    const onEntered = () => void closeBrowserFile();
    const guard = createGuard({ host, session, page: livePage(prefix), api, onEntered });
    server.on("request", nodeListener(guard));
    const printLink = () => {
      const address = `http://${host}/${fragmentOf(session.newToken(), conversation)}`;
      process.stderr.write(`Open ${address}\n`);
      return address;
    };
    const address = printLink();
    const isAtTerminal = process.stdin.isTTY && process.stderr.isTTY;
    note(
      `The link lets one browser in.${isAtTerminal ? " Enter prints one for another browser." : ""} Ctrl-C ends this.`,
    );
    if (isAtTerminal) leaveTerminal = onEnter(process.stdin, printLink, isInForeground);
    const command = options.browser && process.stderr.isTTY ? browserCommand() : undefined;
    // Without a place for its file, the link that is printed is enough.
    if (command) closeBrowserFile = await openBrowser(command, address).catch(() => async () => {});
    await workUntil(signal, agent, store);
  } finally {
    leaveTerminal();
    server.close();
    server.closeAllConnections();
    await closeBrowserFile();
  }
}

/** Bytes of a message: base64 text of an attachment takes a third more than the file. */
const mostBytes = 32 * 2 ** 20;

/**
 * The page: the conversations, and the log of one of them as it grows, with a box for messages and questions to answer.
 *
 * @param api where the server answers
 */
function livePage(api: string): WebPage {
  return { html: pageHtml({ type: "live", api }), policy: pagePolicy("live") };
}
