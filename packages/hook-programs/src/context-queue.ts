import type { BeforeStepEffect } from "@cogency/agent/hooks";
import type { Content } from "@cogency/tools";
import type { HeldText } from "./said.ts";

/** What programs have said and the model has not read yet, by conversation. */
export interface ContextQueue {
  add(conversation: string, texts: readonly HeldText[] | undefined): void;
  /** What the model is told before its next step; undefined if nothing waits. */
  take(conversation: string): BeforeStepEffect | undefined;
  /** Forgets the texts of a run that has ended. What they hold waits for the next one: the log may have them. */
  end(conversation: string): void;
}

export function contextQueue(): ContextQueue {
  const waiting = new Map<string, readonly HeldText[]>();
  return {
    add(conversation, texts = []) {
      if (texts.length > 0) waiting.set(conversation, [...(waiting.get(conversation) ?? []), ...texts]);
    },
    take(conversation) {
      const all = waiting.get(conversation);
      if (all === undefined) return undefined;
      waiting.delete(conversation);
      const texts = all.flatMap(({ text }) => text ?? []);
      return {
        ...(texts.length > 0 && { notify: texts.join("\n\n") }),
        holds: all.flatMap(({ holds }): readonly Content[] => holds),
      };
    },
    end(conversation) {
      const marks = (waiting.get(conversation) ?? []).filter(
        ({ text, holds }) => text === undefined && holds.length > 0,
      );
      if (marks.length > 0) waiting.set(conversation, marks);
      else waiting.delete(conversation);
    },
  };
}
