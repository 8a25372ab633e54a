import { type AgentApp, agent } from "@agentclientprotocol/sdk";
import type { AcpConnection, AcpStream } from "../acp.ts";
import type { AcpOptions } from "../acp-options.ts";
import { checkFolder } from "../in/check-folder.ts";
import { readFork } from "../in/read-fork.ts";
import { listedSessions } from "../out/listed-sessions.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { abilitiesOf } from "./editor-abilities.ts";
import { guardedStream } from "./guarded-stream.ts";
import { OpenSessions, type Wanted } from "./open-sessions.ts";
import { byHost, refusal } from "./refusal.ts";

/** Serves one editor. */
export function openConnection(options: AcpOptions, stream: AcpStream): AcpConnection {
  const onError = (error: unknown) => {
    try {
      options.onError?.(error);
    } catch {
      // The listener's own business.
    }
  };
  const sessions = new OpenSessions(options, onError);
  const app = agent({ name: options.info.name });
  addLifecycle(app, options, sessions, onError);
  addWork(app, sessions);
  const connection = app.connect(guardedStream(stream));
  const closed = connection.closed.then(() => sessions.leave());
  return {
    closed,
    async close() {
      connection.close();
      await closed;
    },
  };
}

function addLifecycle(
  app: AgentApp,
  options: AcpOptions,
  sessions: OpenSessions,
  onError: (error: unknown) => void,
): void {
  const { authentication = [], list, remove, fork, store } = options;
  const undo = (session: string) =>
    (remove?.(session) ?? store.delete({ conversation: session })).then(() => {}, onError);
  let can = abilitiesOf();
  app.onRequest("initialize", ({ params }) => {
    can = abilitiesOf(params.clientCapabilities, params.clientInfo?.name);
    return capabilitiesOf(options);
  });
  app.onRequest("authenticate", async ({ params }) => {
    const way = authentication.find(({ id }) => id === params.methodId);
    if (!way) throw refusal("params", "There is no such way to authenticate.");
    await byHost(() => way.check());
    return {};
  });
  const open = async (wanted: Wanted, client: Parameters<OpenSessions["open"]>[1]) =>
    (await sessions.open(wanted, client, can)).choices.state();
  app.onRequest("session/new", async ({ params, client }) => {
    const session = crypto.randomUUID();
    return { sessionId: session, ...(await open({ ...params, session, kind: "new" }, client)) };
  });
  app.onRequest("session/load", ({ params, client }) =>
    open({ ...params, session: params.sessionId, kind: "load" }, client),
  );
  app.onRequest("session/resume", ({ params, client }) =>
    open({ ...params, session: params.sessionId, kind: "resume" }, client),
  );
  app.onRequest("session/close", async ({ params }) => {
    await sessions.get(params.sessionId);
    await sessions.close(params.sessionId);
    return {};
  });
  if (list)
    app.onRequest("session/list", async ({ params }) => {
      const { cwd = null, cursor = null } = params;
      if (cwd !== null) checkFolder(cwd);
      const found = await byHost(() => list({ cwd: cwd ?? undefined, cursor: cursor ?? undefined }));
      return listedSessions(found);
    });
  if (remove)
    app.onRequest("session/delete", async ({ params }) => {
      await sessions.close(params.sessionId);
      await byHost(() => remove(params.sessionId));
      return {};
    });
  if (fork)
    app.onRequest("session/fork", readFork, async ({ params, client }) => {
      const { sessionId, ...rest } = params;
      const [last] = await store.load({ conversation: sessionId }, { last: 1 });
      if (!last) throw refusal("notFound", "There is no such session.");
      const session = crypto.randomUUID();
      checkFolder(rest.cwd);
      await byHost(() => fork(sessionId, session));
      try {
        return { sessionId: session, ...(await open({ ...rest, session, kind: "fork" }, client)) };
      } catch (error) {
        // Nobody has asked for a copy that cannot be opened.
        await undo(session);
        throw error;
      }
    });
}

function addWork(app: AgentApp, sessions: OpenSessions): void {
  app.onRequest("session/prompt", async ({ params, signal }) =>
    (await sessions.get(params.sessionId)).prompt(params.prompt, signal),
  );
  app.onNotification("session/cancel", async ({ params }) => {
    const session = await sessions.get(params.sessionId).catch(() => undefined);
    session?.cancel();
  });
  app.onRequest("session/set_mode", async ({ params }) => {
    await (await sessions.get(params.sessionId)).choices.setMode(params.modeId);
    return {};
  });
  app.onRequest("session/set_config_option", async ({ params }) => {
    const { choices } = await sessions.get(params.sessionId);
    return { configOptions: await choices.setSetting(params.configId, params.value) };
  });
}
