import type { Paper } from "../../person/turn/paper.ts";
import type { Block } from "../../screen/screen.ts";

/** Two views of one paper: a question and its answer stand together on it, and what happens meanwhile follows them. */
export interface SharedPaper {
  /** For what happens in turns: waits while a question stands. */
  readonly turns: Paper;
  /** For questions. */
  readonly questions: Paper;
}

interface SharedPaperOptions {
  /** Whether a question stands. */
  isAsking(): boolean;
  /** Called before lines of a question are added. */
  interrupt(): void;
}

export function sharedPaper(paper: Paper, { isAsking, interrupt }: SharedPaperOptions): SharedPaper {
  const waiting: Block[] = [];
  const { stream } = paper;
  return {
    turns: {
      add: (block) => (isAsking() ? void waiting.push(block) : paper.add(block)),
      refresh: () => paper.refresh(),
      stream,
    },
    questions: {
      add(block) {
        if (!isAsking()) interrupt();
        paper.add(block);
      },
      refresh() {
        if (!isAsking()) for (const block of waiting.splice(0)) paper.add(block);
        paper.refresh();
      },
      stream,
    },
  };
}
