import type { Json, JsonObject, RecordContent, ToolResult, Usage } from "@cogency/protocol";
import type { EndPart, ErrorPart, NoticePart, QuestionPart, UserPart } from "@cogency/protocol/parts";

type ChildRecord = Extract<RecordContent, { kind: "child" }>["data"];

/**
 * One thing that changes on a screen which shows a conversation, in the words of none of the wires. A bridge translates each into events of
 * its own.
 *
 * INVARIANT (same from both sides): from the log alone and with pieces between, the changes of a turn make the same units, calls and
 * results, under the same ids; only where texts are cut into deltas, and what is told of calls that are refused later, differs.
 *
 * INVARIANT (closed): each `unit` is followed by exactly one `unit_end`, each `call` by exactly one `call_end`, before the `over` of a
 * turn that does not wait.
 */
export type Change =
  /** Words to the model. `turn` is the id of the answer that follows; words that come together share it. */
  | {
      readonly type: "user";
      readonly turn: string;
      /** The id of the message of the inbox that brought them; absent for words that came otherwise. */
      readonly message?: string;
      readonly part: UserPart;
      readonly seq: number;
    }
  /** A unit of the reply or of reasoning begins. Ids are unique in the conversation. */
  | { readonly type: "unit"; readonly id: string; readonly kind: "text" | "thinking" }
  | { readonly type: "unit_delta"; readonly id: string; readonly text: string }
  /**
   * `text` is the whole unit as it is stored: the deltas, put together, unless a store or a redaction has changed it. Absent where nothing of
   * the unit is stored, because its run broke off: what comes next is written anew.
   */
  | { readonly type: "unit_end"; readonly id: string; readonly text?: string }
  /** The model begins to write a call. */
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly turn: string }
  /** A piece of the text of the arguments, as the model writes it. Some calls have none. */
  | { readonly type: "call_delta"; readonly id: string; readonly text: string }
  /**
   * The arguments are whole, and the call is stored. The deltas, if there were any, are a JSON text of `args`; only where pieces were lost
   * and `isRestated` stands, they are not.
   */
  | {
      readonly type: "call_ready";
      readonly id: string;
      readonly name: string;
      readonly args: JsonObject;
      readonly isRestated?: true;
    }
  /** A hook has changed the call: this is what runs. */
  | { readonly type: "call_changed"; readonly id: string; readonly name: string; readonly args: JsonObject }
  | { readonly type: "call_progress"; readonly id: string; readonly update: Json }
  /** The call ended. Where its block was refused, `outcome` is `refused`, and there is no result. */
  | {
      readonly type: "call_end";
      readonly id: string;
      readonly name: string;
      readonly outcome: "success" | "failure" | "denied" | "refused";
      /** Absent where the block was refused, or the log holds none. */
      readonly result?: ToolResult;
    }
  /** A person, or the client, is asked about a call that is ready. */
  | { readonly type: "question"; readonly part: QuestionPart }
  /** The question is closed: `decision` is absent if nobody answered. */
  | { readonly type: "question_end"; readonly part: QuestionPart }
  /** One request to the model, with its calls, has ended. */
  | { readonly type: "step"; readonly usage: Usage }
  /** Something went wrong that the run survived. */
  | { readonly type: "error"; readonly part: ErrorPart }
  | { readonly type: "notice"; readonly part: NoticePart }
  /** A run ended. Not the end of a turn where questions are open or a worker tries again: see `TurnItem`. */
  | { readonly type: "end"; readonly part: EndPart }
  /** A call has given work to an agent, or that agent has ended or waits (`used`). */
  | { readonly type: "child"; readonly data: ChildRecord }
  /** The conversation has this title now. */
  | { readonly type: "title"; readonly text: string };
