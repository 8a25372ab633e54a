import { createClient } from "@cogency/client";
import { useConversation } from "@cogency/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const client = createClient({ url: "/api" });

function Page() {
  const { parts, status, send, cancel } = useConversation(client, "first");
  const [text, setText] = useState("");
  return (
    <main>
      {parts.map(
        (part, index) =>
          (part.type === "user" || part.type === "text") && (
            <p key={index} className={part.type}>
              {part.content}
            </p>
          ),
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(text);
          setText("");
        }}
      >
        <input value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit">Send</button>
        {status === "running" && (
          <button type="button" onClick={() => cancel()}>
            Stop
          </button>
        )}
      </form>
    </main>
  );
}

createRoot(document.body).render(<Page />);
