/** What the server accepts: `src/read-message.ts`. */
export type PageMessage =
  | { kind: "prompt" | "steer"; content: string }
  | { kind: "approve"; question: string }
  | { kind: "deny"; question: string; reason?: string }
  | { kind: "cancel" };

/** @throws Error in words for the person */
export async function post(message: PageMessage): Promise<void> {
  const response = await fetch("/messages", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message),
  });
  if (!response.ok) throw new Error(await response.text());
}
