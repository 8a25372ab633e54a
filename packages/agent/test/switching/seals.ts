/** A signature of the test's servers: it says what was signed. */
export function sealOf(signed: object): string {
  return Buffer.from(JSON.stringify(signed)).toString("base64");
}

/** Why a server would not know its signatures in a body; undefined if each stands on what it was given with. */
export function sealProblem(body: unknown): string | undefined {
  const problem = blocksIn(body)
    .map(problemIn)
    .find((one) => one !== undefined);
  return problem && `a signature stands on what it was not given with: ${problem}`;
}

type Fields = Record<string, unknown>;

/** The blocks of Messages and the parts of Gemini. */
function blocksIn(body: unknown): Fields[] {
  const { messages = [], contents = [] } = body as {
    messages?: { content: unknown }[];
    contents?: { parts: Fields[] }[];
  };
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Fields[]) : []));
  return [...blocks, ...contents.flatMap(({ parts }) => parts)];
}

function problemIn({ type, thinking, signature, thoughtSignature, ...part }: Fields): string | undefined {
  if (type === "thinking") return differenceOf(signature, { thinking });
  if (thoughtSignature === undefined || thoughtSignature === "skip_thought_signature_validator") return undefined;
  return differenceOf(thoughtSignature, part);
}

function differenceOf(seal: unknown, found: object): string | undefined {
  const [signed, sent] = [JSON.parse(Buffer.from(String(seal), "base64").toString()), found].map(plain);
  return signed === sent ? undefined : `${sent}, not ${signed}`;
}

/** Ids are the runtime's when they are sent back. */
function plain(value: unknown): string {
  return JSON.stringify(value, (key, one) => (key === "id" ? undefined : one));
}
