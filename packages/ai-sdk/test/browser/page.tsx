import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import type { ChatMessage } from "../../src/chat/index.ts";

const api = "/api/chat";
const id = location.pathname.slice(1) || "c";
const transport = new DefaultChatTransport<ChatMessage>({ api });

function Chat({ messages: given }: { messages: ChatMessage[] }) {
  const { messages, status, error, sendMessage, addToolApprovalResponse, resumeStream } = useChat<ChatMessage>({
    id,
    transport,
    messages: given,
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const [text, setText] = useState("");
  // A connection that broke off: the run goes on, or another process goes on with it.
  useEffect(() => {
    if (!(error instanceof TypeError)) return;
    const timer = setTimeout(() => void resumeStream(), 300);
    return () => clearTimeout(timer);
  }, [error, resumeStream]);
  return (
    <main style={{ font: "16px/1.5 sans-serif", maxWidth: "40em", margin: "2em auto" }}>
      {messages.map(({ id, role, parts }) => (
        <article key={id} className={role} style={{ whiteSpace: "pre-wrap" }}>
          <strong>{role}: </strong>
          {parts.map((part, at) => (
            <Part key={`${id}.${at}`} part={part} answer={addToolApprovalResponse} />
          ))}
        </article>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void sendMessage({ text });
          setText("");
        }}
      >
        <input aria-label="Words" value={text} onChange={(event) => setText(event.target.value)} />
      </form>
      <output>{status}</output>
    </main>
  );
}

type Answer = ReturnType<typeof useChat<ChatMessage>>["addToolApprovalResponse"];

function Part({ part, answer }: { part: ChatMessage["parts"][number]; answer: Answer }) {
  if (part.type === "text") return <span className="text">{part.text}</span>;
  if (!("state" in part) || !part.type.startsWith("tool-")) return null;
  return (
    <section className="call">
      {part.type.slice("tool-".length)} {"input" in part && JSON.stringify(part.input)}: <i>{part.state}</i>
      {part.state === "output-available" && ` ${JSON.stringify(part.output)}`}
      {part.state === "approval-requested" && (
        <button type="button" onClick={() => answer({ id: part.approval.id, approved: true })}>
          Allow
        </button>
      )}
    </section>
  );
}

const messages = (await (await fetch(`${api}/${encodeURIComponent(id)}/messages`)).json()) as ChatMessage[];
const root = document.createElement("div");
document.body.append(root);
createRoot(root).render(<Chat messages={messages} />);
