import { ToolboxError } from "../errors.ts";
import { errorCode } from "../system-error.ts";

/** An error of the folder of copies names a place that no tool shows. */
export async function keptOrRefused<T>(keep: () => Promise<T>): Promise<T> {
  try {
    return await keep();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const message = `What the call would change cannot be kept for an undo, so nothing was changed: the system reported ${code}.`;
    throw new ToolboxError("io_error", "", message, { cause: error });
  }
}
