import type { Part } from "@cogency/client";
import { useState } from "react";
import { questionOf } from "./question.ts";

interface SpokenProps {
  parts: readonly Part[];
  isLoaded: boolean;
}

/** What a screen reader says by itself: what comes while the page is open, sentence by sentence. */
export function Spoken({ parts, isLoaded }: SpokenProps) {
  const [before, setBefore] = useState<number>();
  if (isLoaded && before === undefined) setBefore(parts.length);
  const said = before === undefined ? [] : parts.slice(before).flatMap(sentencesOf);
  // Only what is added is read out.
  const from = Math.max(0, said.length - 20);
  return (
    <div className="hidden" role="log" aria-label="What is new">
      {said.slice(from).map((sentence, at) => (
        <p key={from + at}>{sentence}</p>
      ))}
    </div>
  );
}

function sentencesOf(part: Part): string[] {
  if (part.type === "question") return [questionOf(part)];
  if (part.type === "error" || part.type === "notice") return [part.message];
  if (part.type !== "text") return [];
  const all = [...segmenter.segment(part.content)].map(({ segment }) => plain(segment)).filter(Boolean);
  // The last one may still grow.
  return part.open ? all.slice(0, -1) : all;
}

/** Without the marks of Markdown, which a voice would spell out. */
function plain(text: string): string {
  return text.replace(/[`*#|]+|^\s*[->]\s/g, "").trim();
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
