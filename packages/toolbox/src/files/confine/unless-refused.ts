import { ToolboxError } from "../../errors.ts";

/** Returns undefined if `work` throws a ToolboxError, so that one file that is closed or gone does not end a search. */
export async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ToolboxError) return undefined;
    throw error;
  }
}
