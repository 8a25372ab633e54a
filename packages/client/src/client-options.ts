/** Headers that go with each request, such as `authorization`. */
type Headers = Readonly<Record<string, string>>;

export interface ClientOptions {
  /** Where the server's addresses begin, with its `prefix`: `https://chat.example/api`, or `/api` in a page alone. */
  url: string;
  /**
   * Makes the requests. It must give a body piece by piece: in React Native, give the one of `expo/fetch`. Defaults to the one of the
   * platform.
   */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * Headers, or a function that makes them for each request; after a 401 it is asked once more, for a token that was renewed. If it
   * fails, it is tried again like a request that finds no server. Defaults to none.
   */
  headers?: Headers | (() => Headers | Promise<Headers>) | undefined;
  /** Whether a browser sends cookies to another origin. Defaults to that of `fetch`. */
  credentials?: "omit" | "same-origin" | "include" | undefined;
}
