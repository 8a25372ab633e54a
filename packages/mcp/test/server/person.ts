import { type Answer, type Rpc, type rawClient, streamed } from "./raw-client.ts";

type Client = ReturnType<typeof rawClient>;

/** What the client answers to each thing that it is asked, by its method and parameters. */
export type Person = (asked: Rpc & { method: string; params: Rpc }) => unknown;

const elicits = { elicitation: {} };

/** Calls as a client of 2025-11-25 does: it answers the requests that come on the stream. */
export async function calledInSession(
  client: Client,
  message: Rpc,
  person: Person,
  capabilities = elicits,
): Promise<Answer> {
  const here = await client.session(capabilities);
  const notifications: Rpc[] = [];
  for await (const got of streamed(await client.post(message, here))) {
    if ("method" in got && "id" in got) {
      await client.post({ jsonrpc: "2.0", id: got.id, result: person(got as never) }, here);
    } else if ("method" in got) {
      notifications.push(got);
    } else if ("id" in got) {
      return { ...got, notifications };
    }
  }
  return { notifications };
}

/** Calls as a client of 2026-07-28 does: it calls again with the answers to what the result asks for. */
export async function calledInRounds(
  client: Client,
  { method, params }: Rpc,
  person: Person,
  capabilities = elicits,
): Promise<Answer> {
  let answers: Rpc = {};
  for (;;) {
    const answer = await client.modern(method as string, { ...(params as Rpc), ...answers }, capabilities);
    if (answer.result?.resultType !== "input_required") return answer;
    const { inputRequests, requestState } = answer.result;
    const entries = Object.entries(inputRequests as Record<string, never>);
    answers = { inputResponses: Object.fromEntries(entries.map(([key, asked]) => [key, person(asked)])), requestState };
  }
}

export const revisions = [
  { revision: "2025-11-25", called: calledInSession },
  { revision: "2026-07-28", called: calledInRounds },
] as const;
