type Dispatcher = { dispatch: unknown };
type DispatcherClass = { new (options: object): Dispatcher; prototype: Dispatcher };

/** One a limit: each keeps its own connections. */
const dispatchers = new Map<number, { of: DispatcherClass; dispatcher: Dispatcher }>();

/**
 * What makes the `fetch` of Node wait: its own limits, of five minutes for the headers and between two pieces of the
 * body, are off, and a connection gets `connect` milliseconds. Node has no option for it, only the `dispatcher` of a
 * request, which must be of the very version that its `fetch` is of: so it is made from the class of the global one.
 *
 * Undefined where there is none, in browsers and other runtimes, and where the application has set one of its own:
 * such may lead through a proxy, or know whom to trust.
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

/** The class of the global dispatcher, if that is as Node makes it, but perhaps for the limits that are replaced anyway. */
function plainAgentClass(): DispatcherClass | undefined {
  // Node sets the global dispatcher when the first class of its `fetch` is asked for.
  if (typeof globalThis.Response !== "function") return undefined;
  const dispatcher = globalDispatcher();
  if (!dispatcher) return undefined;
  const Class = dispatcher.constructor as DispatcherClass;
  // One that is composed of interceptors is a proxy over an agent, with another `dispatch`.
  const isAgent = Class.name === "Agent" && dispatcher.dispatch === Class.prototype.dispatch;
  return isAgent && isPlain(dispatcher) ? Class : undefined;
}

/** What the `fetch` of this version of Node uses; it may be that one stands in the other place, too. */
function globalDispatcher(): Dispatcher | undefined {
  const version = /^Node\.js\/(\d+)/.exec(globalThis.navigator?.userAgent ?? "")?.[1];
  if (version === undefined) return undefined;
  return Number(version) < 26
    ? (globalThis as Registry)[Symbol.for("undici.globalDispatcher.1")]
    : (globalThis as Registry)[Symbol.for("undici.globalDispatcher.2")];
}

type Registry = { [place: symbol]: Dispatcher | undefined };

/** Its options are kept under a symbol that is not published; where they are not found, nothing is known of them. */
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
