import { AuthenticationNeeded, RequestRefused } from "@cogency/acp";
import { UsageError } from "../../base/errors/usage-error.ts";
import { MissingKeyError } from "../../work/provider/missing-key-error.ts";

/** What a person cannot do here is no fault of the agent. @throws AuthenticationNeeded, RequestRefused, and any other error as it is */
export async function refused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MissingKeyError) throw new AuthenticationNeeded(error.message);
    if (error instanceof UsageError) throw new RequestRefused(error.message);
    throw error;
  }
}
