import type { Agent } from "@cogency/agent";
import type { Store } from "@cogency/storage";
import type { BridgeOptions, BridgeStore } from "../bridge/index.ts";

export interface OpenAIOptions extends Omit<BridgeOptions, "agent" | "store"> {
  /** The store of the agent. */
  store: BridgeStore & Pick<Store, "append" | "delete">;
  /** Signs and posts the messages, goes on with the conversations, and makes forks for requests that begin at an earlier response. */
  agent: Pick<Agent, "send" | "recover" | "fork" | "scope">;
  /** The names under which clients ask for the agent. A request for another model is a 404. Defaults to `["agent"]`. */
  models?: readonly string[] | undefined;
  /**
   * Where the calls of the agent's own tools appear, one line when a call begins, and one when it fails or is denied: as reasoning, in the text of the
   * answer, or nowhere. Defaults to `"reasoning"`, which leaves the text to the answer.
   */
  tools?: ToolsShown | undefined;
  /**
   * Whether a question to a person, such as for approval, ends the text of the answer where the wire has no item for it: in Chat
   * Completions always, in Responses where a tool asks. Defaults to true.
   */
  questions?: boolean | undefined;
  /**
   * What becomes of the run when the client closes the connection before the answer has ended. Nobody can read the rest of a completion, so
   * the run is cancelled by default; `"continue"` lets it end, for clients that get the response later (`GET /responses/ID`).
   */
  whenClientLeaves?: "cancel" | "continue" | undefined;
}

export type ToolsShown = "hidden" | "text" | "reasoning";
