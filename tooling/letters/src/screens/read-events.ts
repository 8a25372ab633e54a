import type { StoredEvent } from "@cogency/storage";

/** Every stored event that a user may see of a conversation, up to the last number of its log. */
export async function readEvents(url: string, conversation: string, user = "ada"): Promise<StoredEvent[]> {
  const headers = { "x-user": user };
  const address = `${url}/conversations/${conversation}`;
  const header = await (await fetch(address, { headers })).json();
  const { events: last } = header as { events: number };
  const leaving = new AbortController();
  const { body } = await fetch(`${address}/events`, { headers, signal: leaving.signal });
  const events: StoredEvent[] = [];
  let text = "";
  try {
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const frames = `${text}${piece}`.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const [, id, data = ""] = /^id: (\d+)\ndata: (.*)$/.exec(frame) ?? [];
        if (id !== undefined) events.push(JSON.parse(data));
        if (Number(id) >= last) return events;
      }
    }
  } finally {
    leaving.abort();
  }
  return events;
}

export async function post(url: string, conversation: string, content: string, user = "ada"): Promise<number> {
  const body = JSON.stringify({ id: crypto.randomUUID(), kind: "prompt", content });
  const headers = { "x-user": user, "content-type": "application/json" };
  return (await fetch(`${url}/conversations/${conversation}/messages`, { method: "POST", headers, body })).status;
}
