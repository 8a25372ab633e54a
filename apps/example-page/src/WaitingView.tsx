import type { WaitingMessage } from "@cogency/client";
import { client } from "./client.ts";
import { thenWrite } from "./thenWrite.ts";

/** A message that no run has read yet, or that the server refused. */
export function WaitingView({ id, message }: { id: string; message: WaitingMessage }) {
  const { state, error, kind } = message;
  const words = "content" in message && (kind === "prompt" || kind === "steer") ? `${message.content}` : undefined;
  if (words === undefined && state !== "failed") return null;
  const conversation = client.conversation(id);
  return (
    <article className="user" data-state={state}>
      <h2 className="hidden">You</h2>
      {words && <p>{words}</p>}
      <small>
        {state === "failed" ? `Not sent. ${error?.message}` : state === "sending" ? "Sending …" : "Waits its turn"}
      </small>
      {state === "failed" && (
        <p>
          <button type="button" onClick={thenWrite(() => conversation.retry(message.id))}>
            Try again
          </button>
          <button type="button" onClick={thenWrite(() => conversation.discard(message.id))}>
            Discard
          </button>
        </p>
      )}
    </article>
  );
}
