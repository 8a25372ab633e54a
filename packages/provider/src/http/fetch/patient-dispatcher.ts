type Dispatcher = { dispatch: unknown };
type DispatcherClass = { new (options: object): Dispatcher; prototype: Dispatcher };

/** One dispatcher for each limit; each keeps its own connections. */
const dispatchers = new Map<number, { of: DispatcherClass; dispatcher: Dispatcher }>();

/**
 * A dispatcher that turns off the limits of Node's `fetch`, five minutes for the headers and between two pieces of the
 * body, and limits connecting to `connect` milliseconds. Node has no other option for this, and the dispatcher must be of
 * exactly the version of its `fetch`: so it is created from the class of the global dispatcher.
 *
 * Undefined in browsers and other runtimes, which have no dispatcher, and if the application has set one of its own, which
 * may lead through a proxy or hold certificates.
 */
export function patientDispatcher(connect: number): Dispatcher | undefined {
  const Agent = plainAgentClass();
  if (!Agent) return undefined;
  const known = dispatchers.get(connect);
  if (known?.of === Agent) return known.dispatcher;
  const timeout = Number.isFinite(connect) ? connect : 0;
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout } });
  dispatchers.set(connect, { of: Agent, dispatcher });
  return dispatcher;
}

/** The class of the global dispatcher, if that is Node's own; other limits are accepted, because they are replaced. */
function plainAgentClass(): DispatcherClass | undefined {
  // Node sets the global dispatcher when a class of its `fetch` is first used.
  if (typeof globalThis.Response !== "function") return undefined;
  const dispatcher = globalDispatcher();
  if (!dispatcher) return undefined;
  const Class = dispatcher.constructor as DispatcherClass;
  // A dispatcher composed of interceptors is a proxy over an agent, with another `dispatch`.
  const isAgent = Class.name === "Agent" && dispatcher.dispatch === Class.prototype.dispatch;
  return isAgent && isPlain(dispatcher) ? Class : undefined;
}

/** The dispatcher that the `fetch` of this version of Node uses. The other symbol may hold one too. */
function globalDispatcher(): Dispatcher | undefined {
  const version = /^Node\.js\/(\d+)/.exec(globalThis.navigator?.userAgent ?? "")?.[1];
  if (version === undefined) return undefined;
  return Number(version) < 26
    ? (globalThis as Registry)[Symbol.for("undici.globalDispatcher.1")]
    : (globalThis as Registry)[Symbol.for("undici.globalDispatcher.2")];
}

type Registry = { [place: symbol]: Dispatcher | undefined };

/** Whether the agent has no options but limits. Node keeps them under an unpublished symbol; false if that is missing. */
function isPlain(agent: Dispatcher): boolean {
  const key = Object.getOwnPropertySymbols(agent).find(({ description }) => description === "options");
  const options = key && (agent as unknown as Record<symbol, object>)[key];
  if (!options) return false;
  return Object.entries(options).every(
    ([name, value]) => replaced.has(name) || value === undefined || value === Number.POSITIVE_INFINITY,
  );
}

const replaced: ReadonlySet<string> = new Set(["headersTimeout", "bodyTimeout"]);

/** Whether Node's `fetch` failed because the connection took too long. */
export function isConnectTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "UND_ERR_CONNECT_TIMEOUT";
}
