import {
  type AgentContext,
  type ClientRequestMethod,
  type ClientRequestParamsByMethod,
  type ClientRequestResponsesByMethod,
  RequestError,
  type SendRequestOptions,
} from "@agentclientprotocol/sdk";

type Answered = keyof typeof isAnswer;

/**
 * Asks the editor, and takes no answer that the protocol does not have: the SDK hands on whatever comes.
 *
 * @throws RequestError with what the editor said, for an answer that is none, and when the request is taken back; EditorGone
 */
export async function askEditor<Method extends Answered>(
  client: Pick<AgentContext, "request">,
  method: Method,
  params: ClientRequestParamsByMethod[Method],
  signal?: AbortSignal,
): Promise<ClientRequestResponsesByMethod[Method]> {
  const options: SendRequestOptions = signal ? { cancellationSignal: signal, stopWaitingOnCancel: true } : {};
  const answer: unknown = await client.request<Method>(method, params, options).catch((error: unknown) => {
    throw error instanceof RequestError ? error : new EditorGone();
  });
  if (!isAnswer[method](fieldsOf(answer)))
    throw new RequestError(-32603, `The editor has answered ${method} with something that is no answer to it.`);
  return (answer ?? {}) as ClientRequestResponsesByMethod[Method];
}

/** Nobody is there who could answer. */
export class EditorGone extends Error {
  override readonly name = "EditorGone";

  constructor() {
    super("The editor has gone.");
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether the fields of an answer are those of the protocol, as far as the agent reads them. */
const isAnswer = {
  "session/request_permission": ({ outcome }) => {
    const { outcome: kind, optionId } = fieldsOf(outcome);
    return kind === "cancelled" || (kind === "selected" && typeof optionId === "string");
  },
  "elicitation/create": ({ action, content }) =>
    typeof action === "string" && (action !== "accept" || isAbsent(content) || isFilledIn(content)),
  "fs/read_text_file": ({ content }) => typeof content === "string",
  "fs/write_text_file": () => true,
  "terminal/create": ({ terminalId }) => typeof terminalId === "string" && terminalId !== "",
  "terminal/output": ({ output, truncated }) => typeof output === "string" && typeof truncated === "boolean",
  "terminal/wait_for_exit": ({ exitCode, signal }) =>
    (isAbsent(exitCode) || Number.isInteger(exitCode)) && (isAbsent(signal) || typeof signal === "string"),
  "terminal/kill": () => true,
  "terminal/release": () => true,
} as const satisfies Partial<Record<ClientRequestMethod, (answer: Fields) => boolean>>;

function isFilledIn(content: unknown): boolean {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return false;
  return Object.values(content).every(
    (value) => isPlain(value) || (Array.isArray(value) && value.every((one) => typeof one === "string")),
  );
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
