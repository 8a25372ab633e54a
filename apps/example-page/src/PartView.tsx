import { argsOf, type CallPartOf, type PartOf } from "@cogency/client";
import { memo } from "react";
import type { NoteCall } from "../server/note-tools.ts";
import { Markdown } from "./Markdown.tsx";
import { QuestionView } from "./QuestionView.tsx";

interface PartViewProps {
  /** The conversation. */
  id: string;
  part: PartOf<NoteCall>;
  /** An answer to the question is on its way. */
  isAnswered: boolean;
}

/** One thing of a conversation. A letter renders the part that it belongs to, and no other one. */
export const PartView = memo(function PartView({ id, part, isAnswered }: PartViewProps) {
  switch (part.type) {
    case "user":
      return (
        <article className="user">
          <h2 className="hidden">You</h2>
          <p>{part.content}</p>
        </article>
      );
    case "text":
      return <Markdown text={part.content} isOpen={part.open === true} />;
    case "thinking":
      return (
        <details className="thinking">
          <summary>{part.open ? "Thinking …" : "Thought"}</summary>
          <p>{part.content}</p>
        </details>
      );
    case "call":
      return <CallView part={part} />;
    case "question":
      return <QuestionView id={id} part={part} isAnswered={isAnswered} />;
    case "error":
      return <p className="trouble">{part.message}</p>;
    case "notice":
      return (
        <p className="trouble">
          {part.message}
          {part.retryAt && ` Next try at ${new Date(part.retryAt * 1000).toLocaleTimeString()}.`}
        </p>
      );
    case "end":
      if (part.status === "completed" || part.status === "waiting") return null;
      return <p className="end">{part.error?.message ?? part.stop?.message ?? "Stopped."}</p>;
  }
});

function CallView({ part }: { part: CallPartOf<NoteCall> }) {
  const { state, outcome, progress, result } = part;
  const said = state === "done" ? (outcome === "success" ? "done" : (outcome ?? "ended")) : state;
  return (
    <details className="call" data-state={said} open={state !== "done" || outcome !== "success"}>
      <summary>
        {nameOf(part)} <small>{progress === undefined ? said : textOf(progress)}</small>
      </summary>
      {part.name === "write" && <pre>{argsOf(part).content}</pre>}
      {result && <pre>{textOf(result.content)}</pre>}
    </details>
  );
}

/** What the call does, as far as its arguments have been written. */
function nameOf(part: CallPartOf<NoteCall>): string {
  if (part.name === "write") return `Write to ${argsOf(part).file ?? "…"}`;
  if (part.name === "read") return `Read ${argsOf(part).file ?? "…"}`;
  if (part.name === "find") return `Find “${argsOf(part).text ?? "…"}”`;
  return part.name === "list" ? "List the notes" : "A call";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
