import { startTimer } from "@cogency/async";
import {
  anything,
  callback,
  checkOptions,
  flag,
  name,
  type OptionTable,
  recordOf,
  required,
  text,
  wrongOption,
} from "@cogency/protocol/options";
import {
  type AuthProvider,
  type FetchLike,
  type OAuthClientProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { ServerLogin } from "./auth/server-login.ts";
import type { Connector } from "./connector.ts";
import { hiding } from "./text/secrets.ts";
import { boundedFetch } from "./transport/bounded-fetch.ts";

export interface HttpOptions {
  /** The address of the server: `https://mcp.example.com/mcp`. */
  url: string | URL;
  /** Secrets, such as `{ authorization: "Bearer …" }`. Only requests to the origin of `url` carry them. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Logs in: what `oauth` or `clientCredentials` makes, or a provider of the SDK. */
  auth?: ServerLogin | AuthProvider | OAuthClientProvider | undefined;
  /** Defaults to the global one. It must follow no redirect where it is told so. */
  fetch?: FetchLike | undefined;
  /** Whether the transport of 2024, SSE, is tried where the server does not speak the one of today. Defaults to true. */
  sse?: boolean | undefined;
  /** Admits `http:` to hosts other than this machine. Defaults to false. */
  insecure?: boolean | undefined;
}

/**
 * A server at an address. It runs in every JavaScript runtime.
 *
 * @throws TypeError or RangeError that names the option, also for `http:` to another machine and for an address with a password
 */
export function http(options: HttpOptions): Connector {
  checkOptions<HttpOptions>("http", options, table);
  const { headers = {}, auth, fetch, sse = true, insecure = false } = options;
  const url = checkedAddress(options.url, insecure);
  const query = [...url.searchParams.values()];
  const login = auth && "around" in auth ? auth : undefined;
  if (login) checkLogin(login, url);
  const hideOptions = hiding([...Object.values(headers).flatMap(partsOf), ...query]);
  return {
    kind: "http",
    identity: identityOf(url),
    hide: (text) => hideOptions(login ? login.hide(text) : text),
    *transports({ messageBytes, breach }) {
      const own = boundedFetch({ origin: url.origin, headers, messageBytes, fetch, breach });
      const common = { fetch: login?.around(own) ?? own, ...(auth && { authProvider: auth }) };
      const streamable = { ...common, reconnectionScheduler: reconnectLater };
      yield new StreamableHTTPClientTransport(url, streamable) as Transport;
      if (sse) yield new SSEClientTransport(url, common) as Transport;
    },
  };
}

/** The server may name the delay. A timer of more than 24 days would fire at once. */
function reconnectLater(reconnect: () => void, delay: number): () => void {
  return startTimer(Math.min(delay, longestDelay), reconnect).stop;
}

/** Milliseconds. */
const longestDelay = 60_000;

const table: OptionTable<HttpOptions> = /* @__PURE__ */ (() => ({
  url: required({ ...anything, wanted: "the address of the server", isOfType: isAddress }),
  headers: recordOf(text),
  auth: { ...anything, wanted: "a provider of logins", isOfType: (value: unknown) => typeof value === "object" },
  fetch: callback,
  sse: flag,
  insecure: flag,
}))();

function isAddress(value: unknown): boolean {
  return name.isOfType(value) || value instanceof URL;
}

function checkedAddress(given: string | URL, insecure: boolean): URL {
  if (!URL.canParse(String(given)))
    throw wrongOption(TypeError, "url", "http: `url` is no address; give one such as https://mcp.example.com/mcp.");
  const url = new URL(given);
  const isLocal = loopback.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && (isLocal || insecure))) {
    const advice =
      url.protocol === "http:"
        ? "Anybody on the way could read and change what is sent. Use https:, or set `insecure: true`."
        : "Use https:.";
    throw wrongOption(RangeError, "url", `http: the protocol of \`url\` is ${url.protocol} ${advice}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw wrongOption(
      RangeError,
      "url",
      "http: `url` holds a user name or a password. Give them as `headers`, which are kept secret.",
    );
  }
  url.hash = "";
  return url;
}

function checkLogin({ server }: ServerLogin, { origin, pathname }: URL): void {
  if (server === origin + pathname) return;
  throw wrongOption(
    TypeError,
    "auth",
    "http: `auth` is the login of another server than `url`. Make one for this address.",
  );
}

const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The address, with the names of the parameters in its query and without their values, which may be keys. */
function identityOf(url: URL): string {
  const names = [...new Set(url.searchParams.keys())].sort();
  const query = names.length === 0 ? "" : `?${names.map((each) => `${encodeURIComponent(each)}=…`).join("&")}`;
  return `${url.origin}${url.pathname}${query}`;
}

/** A header whole, and what stands behind `Bearer`. */
function partsOf(value: string): string[] {
  const credential = /^\w+ (.+)$/.exec(value)?.[1];
  return credential === undefined ? [value] : [value, credential];
}
