import { useConversation, useConversations } from "@cogency/react";
import { useEffect, useState } from "react";
import { Composer } from "./Composer.tsx";
import { client } from "./client.ts";
import { PartView } from "./PartView.tsx";
import { Spoken } from "./Spoken.tsx";
import { useHash } from "./useHash.ts";
import { WaitingView } from "./WaitingView.tsx";

export function App() {
  const hash = useHash();
  const [fresh] = useState(() => crypto.randomUUID());
  const id = hash || fresh;
  return (
    <>
      <List id={id} />
      <Chat key={id} id={id} />
    </>
  );
}

function List({ id }: { id: string }) {
  const { conversations, hasMore, more } = useConversations(client);
  useEffect(() => document.getElementById("list")?.hidePopover(), [id]);
  return (
    <nav id="list" popover="auto" aria-label="Conversations">
      <button type="button" onClick={() => open(crypto.randomUUID())}>
        New conversation
      </button>
      {conversations.map(({ conversation, title }) => (
        <a
          key={conversation}
          href={`#${encodeURIComponent(conversation)}`}
          aria-current={conversation === id ? "page" : undefined}
        >
          {title || "Untitled"}
        </a>
      ))}
      {hasMore && (
        <button type="button" onClick={more}>
          Older ones
        </button>
      )}
    </nav>
  );
}

function Chat({ id }: { id: string }) {
  const { parts, waiting, status, connection, error, title, fork, reconnect } = useConversation(client, id);
  const answered = waiting.flatMap((one) => ("question" in one && one.state !== "failed" ? [one.question] : []));
  return (
    <main>
      <header>
        <button type="button" popoverTarget="list">
          Conversations
        </button>
        <h1>{title || "New conversation"}</h1>
        {parts.length > 0 && (
          <button type="button" onClick={async () => open((await fork()).id)}>
            Fork
          </button>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keys */}
      <section className="scroll" aria-label="Messages" tabIndex={0}>
        <div className="parts">
          {parts.length === 0 && waiting.length === 0 && status === "idle" && (
            <p className="hint">Try: write "milk" to list.txt. Or: read shopping.txt and find "milk".</p>
          )}
          {parts.map((part, at) => {
            const key = "id" in part && part.id ? part.id : at;
            return <PartView key={key} id={id} part={part} isAnswered={answered.includes(`${key}`)} />;
          })}
          {waiting.map((message) => (
            <WaitingView key={message.id} id={id} message={message} />
          ))}
          {status === "running" && <p className="working">Working …</p>}
        </div>
      </section>
      {connection === "offline" && <p className="trouble">No connection. What you write is sent when it is back.</p>}
      {connection === "failed" && (
        <p className="trouble">
          {error?.message}{" "}
          <button type="button" onClick={reconnect}>
            Try again
          </button>
        </p>
      )}
      <Composer id={id} status={status} />
      <Spoken parts={parts} isLoaded={status !== "loading"} />
    </main>
  );
}

function open(id: string): void {
  location.hash = encodeURIComponent(id);
}
