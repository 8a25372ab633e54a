import type { Plan } from "@cogency/plan/log";
import type { RemarkKind, Rows } from "../../person/turn/remark.ts";
import type { ChangingAgent, ChangingChoice } from "../changing-agent.ts";

/** What a name after a slash does that needs no terminal: in the chat, and in an editor. */
export interface SharedCommand {
  readonly name: string;
  /** What may follow the name, such as `[name]`. */
  readonly argument?: string;
  readonly help: string;
  /** Whether it may be used while the agent works. */
  readonly anytime?: true;
  /** Words that may be the argument. */
  complete?(desk: CommandDesk): Promise<readonly string[]> | readonly string[];
  /** @throws UsageError */
  run(desk: CommandDesk, argument: string): Promise<void> | void;
}

/** The conversation that a command is about, and where it shows what it did. */
export interface CommandDesk {
  readonly session: Pick<ChangingAgent<ChangingChoice>, "choice" | "open" | "store" | "setMode"> & {
    readonly conversation: string;
  };
  readonly view: CommandView;
  readonly state: {
    /** The steps of the model, as they stand. */
    readonly plan: Plan | undefined;
    /** Tokens that the model's context takes; undefined if that is not known. */
    readonly window: number | undefined;
  };
  /** Says a text to the model. */
  submit(text: string): void;
  /** The log has grown outside of a turn. @param context tokens that the next request will hold, where that is known */
  countAgain(context?: number): Promise<void>;
}

/** Texts may hold control characters of models, tools and files: the view filters them. */
export interface CommandView {
  remark(text: string, kind?: RemarkKind): void;
  list(rows: Rows): void;
  /** A text that the person asked for, shown whole. */
  text(text: string): void;
}
