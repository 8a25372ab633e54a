import { checkOptions, type OptionTable, wrongOption } from "@cogency/protocol/options";
import { type Sender, senderOf } from "../access/sender.ts";
import { Sites } from "../access/sites.ts";
import { jsonResponse } from "../json-response.ts";
import { Limits } from "../limits/limits.ts";
import { Problem, problemOf } from "../problem.ts";
import type { DoorOptions } from "./door-options.ts";

/** A request that may be answered. */
export interface Visitor {
  readonly request: Request;
  readonly url: URL;
  /** The path behind the prefix. */
  readonly path: string;
  readonly sender: Sender;
}

/** What the options say, with their defaults. */
export interface DoorSettings {
  readonly limits: Limits;
  readonly prefix: string;
  readonly maxBodyBytes: number;
  readonly bodyTimeout: number;
  readonly streamTime: number;
  readonly keepAlive: number;
  /** Never throws. */
  readonly onError: (error: unknown, request: Request) => void;
}

export interface Door {
  readonly settings: DoorSettings;
  /**
   * Lets in who may ask. Never rejects: what `answer` throws, and why a request is refused before it, becomes a problem, which `refuse`
   * writes.
   */
  open(
    request: Request,
    answer: (visitor: Visitor) => Promise<Response>,
    refuse: (problem: Problem) => Response,
  ): Promise<Response>;
}

/**
 * Checks all options of a function by its table, and makes the door in front of its answers: which pages may ask, who asks, and how much.
 *
 * @param name the function that the host calls
 * @throws TypeError, RangeError for wrong options, as `createHandler`
 */
export function createDoor<Options extends DoorOptions>(
  name: string,
  options: Options,
  table: OptionTable<Options>,
): Door {
  // Said before all else: without it, everybody reads everything.
  if (options?.authenticate === undefined) throw wrongOption(TypeError, "authenticate", needsAuthenticate(name));
  checkOptions(name, options, table);
  const { authenticate, prefix = "" } = options;
  const sites = new Sites(options.origins ?? []);
  const limits = new Limits(options.limits ?? {});
  const onError = telling(options.onError ?? printError);

  async function letIn(request: Request): Promise<Visitor> {
    const sender = await senderOf(request, authenticate);
    limits.countRequest(sender.user);
    const url = new URL(request.url);
    return { request, url, path: pathBehind(prefix, url), sender };
  }

  async function answered(request: Request, answer: (visitor: Visitor) => Promise<Response>): Promise<Response> {
    sites.check(request);
    return sites.preflight(request) ?? answer(await letIn(request));
  }

  function refused(error: unknown, request: Request, refuse: (problem: Problem) => Response): Response {
    const problem = problemOf(error);
    if (problem.status >= 500) onError(error, request);
    const sharing = sites.sharing(request);
    try {
      return withHeaders(refuse(problem), { ...problem.headers, ...sharing });
    } catch (failure) {
      onError(failure, request);
      return withHeaders(problemResponse(problemOf(failure)), sharing);
    }
  }

  return {
    settings: {
      limits,
      prefix,
      maxBodyBytes: options.maxBodyBytes ?? 2 ** 20,
      bodyTimeout: options.bodyTimeout ?? 10_000,
      streamTime: options.streamTime ?? 3_600_000,
      keepAlive: options.keepAlive ?? 15_000,
      onError,
    },
    async open(request, answer, refuse) {
      try {
        return withHeaders(await answered(request, answer), sites.sharing(request));
      } catch (error) {
        return refused(error, request, refuse);
      }
    },
  };
}

/** @throws Problem `not_found` */
function pathBehind(prefix: string, { pathname }: URL): string {
  const path = pathname.slice(prefix.length);
  if (pathname.startsWith(prefix) && (path === "" || path.startsWith("/"))) return path;
  throw new Problem("not_found", `There is nothing at this address: all that is here begins with ${prefix}.`);
}

/** A problem as `{ code, message }`. */
export function problemResponse({ status, code, message, headers }: Problem): Response {
  return jsonResponse(status, { code, message }, headers);
}

/** A response of `fetch`, which a host may hand on, has headers that cannot be changed. */
function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  const names = Object.keys(headers);
  if (names.length === 0) return response;
  const { body, status, statusText } = response;
  const all = new Headers(response.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Response(body, { status, statusText, headers: all });
}

function telling(onError: DoorSettings["onError"]): DoorSettings["onError"] {
  return (error, request) => {
    try {
      onError(error, request);
    } catch {
      // The listener's own business.
    }
  };
}

function printError(error: unknown, { method }: Request): void {
  console.error(`${method}:`, error);
}

const needsAuthenticate = (name: string) =>
  `${name} needs \`authenticate\`, which says who sends a request: without it, every visitor could read everything. For a server of one person, give () => ({ id: anonymousUser }).`;
