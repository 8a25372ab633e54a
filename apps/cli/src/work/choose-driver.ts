import { type AgentOptions, protocolDriver } from "@cogency/agent";
import { UsageError } from "../base/errors/usage-error.ts";
import type { Options } from "../place/config/option-table.ts";

/** Which driver asks the model, and how. */
export type DriverChoice = Required<Options<"driver" | "dialect" | "startIn">> &
  Options<"repair"> & {
    /** False if answers stay free where the server could bind them. */
    grammar?: boolean;
  };

/**
 * Returns how the model is asked.
 *
 * @throws UsageError for an option of the text protocol with a driver that is another one
 */
export async function chooseDriver(choice: DriverChoice): Promise<NonNullable<AgentOptions["driver"]>> {
  const { driver, dialect, repair, startIn, grammar } = choice;
  const protocol = { dialect, repair, startIn, grammar };
  switch (driver) {
    case "protocol":
      return protocolDriver(protocol);
    case "auto":
      return (await import("@cogency/agent/auto")).auto({ protocol });
    case "native":
      refuseOthers(choice);
      return (await import("@cogency/agent/native")).nativeDriver();
    case "react":
      refuseOthers(choice);
      return (await import("@cogency/agent/react")).reactDriver();
  }
}

function refuseOthers({ driver, dialect, repair, startIn, grammar }: DriverChoice): void {
  const given = [
    dialect === "xml" && "--dialect xml",
    repair && "--repair",
    startIn === "think" && "--start-in think",
    grammar === false && "--no-grammar",
  ];
  const other = given.find((option) => typeof option === "string");
  if (other === undefined) return;
  throw new UsageError(`${other} is of the text protocol, and --driver ${driver} does not use it: leave one out.`);
}
