import { ClientError } from "../client-error.ts";
import type { ClientOptions } from "../client-options.ts";
import { problemOf } from "./problem-of.ts";

interface Asking {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  headers?: Readonly<Record<string, string>>;
  /** JSON text. */
  body?: string;
  signal?: AbortSignal;
}

/** Makes the requests of one client. */
export class Requests {
  readonly #options: ClientOptions;
  readonly #url: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#url = options.url.replace(/\/+$/, "");
  }

  /**
   * The JSON of the answer; undefined for one without a body.
   *
   * @throws ClientError
   */
  async json(path: string, asking: Asking = {}): Promise<unknown> {
    return this.#within(asking.signal, async (signal) => {
      const response = await this.#ask(path, { ...asking, signal });
      if (response.status === 204) return undefined;
      return response.json().catch((cause) => {
        throw new ClientError("bad_response", "The answer of the server is not JSON.", {
          status: response.status,
          cause,
        });
      });
    });
  }

  /**
   * The answer, whose body comes piece by piece until `signal` aborts.
   *
   * @throws ClientError
   */
  async stream(path: string, asking: Asking & { signal: AbortSignal }): Promise<Response> {
    if (!this.#options.fetch && isWithoutStreams()) throw noStreams();
    return this.#within(asking.signal, (signal) => this.#ask(path, { ...asking, signal }));
  }

  async #ask(path: string, asking: Asking): Promise<Response> {
    const response = await this.#fetch(path, asking);
    if (response.ok) return response;
    // Headers that are made for each request may hold a token that was renewed meanwhile.
    if (response.status !== 401 || typeof this.#options.headers !== "function") throw await problemOf(response);
    await response.body?.cancel();
    const second = await this.#fetch(path, asking);
    if (second.ok) return second;
    throw await problemOf(second);
  }

  async #fetch(path: string, { method = "GET", body, headers, signal }: Asking): Promise<Response> {
    const { headers: given = {}, credentials, fetch = globalThis.fetch } = this.#options;
    if (!this.#options.fetch && isWithoutHost(this.#url)) throw withoutHost(this.#url);
    const own = typeof given === "function" ? await made(given) : given;
    const json = body === undefined ? {} : { "content-type": "application/json" };
    return fetch(`${this.#url}${path}`, {
      method,
      headers: { ...own, ...json, ...headers },
      ...(body !== undefined && { body }),
      ...(credentials && { credentials }),
      ...(signal && { signal }),
    });
  }

  /** Runs a request that must have its answer in time. The signal that it gets aborts with `outer` later, too. */
  async #within<T>(outer: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const end = () => ending.abort();
    if (outer?.aborted) end();
    outer?.addEventListener("abort", end, { once: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        end();
        reject(new ClientError("unreachable", `The server did not answer within ${longestWait / 1000} s.`));
      }, longestWait);
    });
    try {
      return await Promise.race([run(ending.signal), late]);
    } catch (error) {
      if (error instanceof ClientError) throw error;
      throw new ClientError("unreachable", "The server cannot be reached.", { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

const longestWait = 30_000;

/** What fails may be the network, over which a token is renewed, so it is tried again like a request. */
async function made<T>(headers: () => T | Promise<T>): Promise<T> {
  try {
    return await headers();
  } catch (cause) {
    throw new ClientError("unreachable", "The function `headers` of the client failed.", { cause });
  }
}

/** The `fetch` of React Native gives nothing of an answer before its end, which a stream does not have. */
function isWithoutStreams(): boolean {
  const { product } = (globalThis.navigator ?? {}) as { product?: string };
  return product === "ReactNative" && !("body" in Response.prototype);
}

/** Only a page completes an address such as `/api`. Elsewhere no request could succeed later. */
function isWithoutHost(url: string): boolean {
  const location = (globalThis as { location?: unknown }).location;
  return location === undefined && !/^[a-z][a-z\d+.-]*:\/\//i.test(url);
}

function withoutHost(url: string): ClientError {
  return new ClientError(
    "invalid_url",
    `\`${url.slice(0, 200)}\` leads to no server from here. Outside of a page, give createClient a \`url\` with scheme and host, such as https://chat.example/api.`,
  );
}

/** For a `fetch` that gives no body piece by piece. */
export function noStreams(): ClientError {
  return new ClientError(
    "no_streams",
    "This `fetch` gives no body piece by piece. Give createClient one that does: in React Native the `fetch` of expo/fetch.",
  );
}
