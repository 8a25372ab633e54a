import { jsonResponse } from "../json-response.ts";
import { Problem, type ProblemCode } from "../problem.ts";

interface WireDetails {
  /** The field of the body that is wrong, such as `messages[2].content`. */
  param?: string;
  /** The code in the body, where the wire has one of its own. */
  code?: string;
  headers?: Readonly<Record<string, string>>;
}

/** A problem with what the errors of OpenAI's wire say beside. */
export class WireProblem extends Problem {
  readonly param: string | undefined;
  readonly wireCode: string | undefined;

  constructor(code: ProblemCode, message: string, { param, code: wireCode, headers }: WireDetails = {}) {
    super(code, message, headers && { headers });
    this.param = param;
    this.wireCode = wireCode;
  }
}

/** A field of the body is wrong. */
export function wrong(param: string, advice: string, code = "invalid_value"): WireProblem {
  return new WireProblem("invalid_request", `\`${param}\` is wrong: ${advice}.`, { param, code });
}

/** A field of the body asks for what no agent can do. */
export function unsupported(param: string, advice: string): WireProblem {
  return new WireProblem("invalid_request", `\`${param}\` is not supported: ${advice}.`, {
    param,
    code: "unsupported_parameter",
  });
}

/** The body of an error in OpenAI's shape. */
export interface WireError {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

export function wireErrorOf(problem: Problem): WireError {
  const { status, message } = problem;
  const { param, wireCode }: Partial<WireProblem> = problem;
  const code = wireCode ?? codes.get(problem.code) ?? problem.code;
  return { error: { message, type: typeOf(status), param: param ?? null, code } };
}

/** Writes a problem as a response. */
export function errorResponse(problem: Problem): Response {
  return jsonResponse(problem.status, wireErrorOf(problem), problem.headers);
}

/** OpenAI's own words for what clients look at. */
const codes: ReadonlyMap<ProblemCode, string> = new Map([
  ["unauthorized", "invalid_api_key"],
  ["too_many_requests", "rate_limit_exceeded"],
  ["too_many_streams", "rate_limit_exceeded"],
  ["too_many_messages", "rate_limit_exceeded"],
  ["too_many_conversations", "rate_limit_exceeded"],
]);

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
