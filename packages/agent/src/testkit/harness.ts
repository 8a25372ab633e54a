import type { JsonObject } from "@cogency/protocol";
import type { Declarations } from "@cogency/protocol/testkit";
import type { ScriptedReply } from "@cogency/provider";
import type { Driver } from "../drivers/driver.ts";

/** One answer of a model, whichever way a driver has it written. The parts come in this order. */
export interface DriverReply {
  thinking?: string;
  /** Words for the user. */
  text?: string;
  calls?: readonly { name: string; args: JsonObject }[];
  /** The model says that its turn is over. A driver without a mark for that writes nothing. */
  isOver?: boolean;
}

/** A driver to test, and how a model writes for it. */
export interface DriverHarness {
  /** Makes the driver. One that gives no pieces of arguments ignores `callDeltas`. */
  driver(options: { callDeltas: boolean }): Driver;
  /**
   * What a model of this driver sends for the reply: texts, or events of its provider. Without its usage and the reason of its
   * end, which the kit chooses.
   */
  write(reply: DriverReply): ScriptedReply;
  /** The same, with calls that the driver must refuse. If it reads whatever a model writes, declare the cases. */
  writeBadly?(reply: DriverReply): ScriptedReply;
  declare?: Declarations;
}
