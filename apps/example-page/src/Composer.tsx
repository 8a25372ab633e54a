import type { ConversationStatus } from "@cogency/client";
import { type KeyboardEvent, useEffect, useState } from "react";
import { client } from "./client.ts";
import { focusComposer, thenWrite } from "./thenWrite.ts";

/** Where the person writes. Enter sends, Shift and Enter begins a line, Escape stops a run. */
export function Composer({ id, status }: { id: string; status: ConversationStatus }) {
  const [text, setText] = useState("");
  const conversation = client.conversation(id);
  const isRunning = status === "running";
  useEffect(focusComposer, []);

  function send(how: "send" | "steer") {
    if (!text.trim()) return;
    // A message that is refused stays on the page.
    void conversation[how](text);
    setText("");
  }

  function press(event: KeyboardEvent) {
    if (event.key === "Escape" && isRunning) void conversation.cancel();
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send(isRunning ? "steer" : "send");
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send(isRunning ? "steer" : "send");
        focusComposer();
      }}
    >
      <textarea
        id="words"
        rows={2}
        aria-label="Message"
        placeholder={isRunning ? "Say something before the next step" : "Write a message"}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <button type="submit" className="main">
        {isRunning ? "Steer" : "Send"}
      </button>
      {isRunning && (
        <>
          <button type="button" onClick={thenWrite(() => send("send"))}>
            Send next
          </button>
          <button type="button" onClick={thenWrite(() => conversation.cancel())}>
            Stop
          </button>
        </>
      )}
    </form>
  );
}
