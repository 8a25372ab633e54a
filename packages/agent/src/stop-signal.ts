import type { JsonObject } from "@cogency/protocol";

/** Why a run came to its end, when it was not simply done. */
export interface StopSignal {
  /**
   * - `user_requested`: the signal was aborted, or the consumer left
   * - `steps_limit`: the budget's steps are used up
   * - `finish_reason`: the model's answer was cut off or filtered; `context.finish` tells which
   */
  reason: "user_requested" | "steps_limit" | "finish_reason";
  message: string;
  context: JsonObject;
}
