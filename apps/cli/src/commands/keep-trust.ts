import { note } from "../base/terminal/note.ts";
import { oneLine } from "../base/terminal/text.ts";
import { openProject } from "../place/config/open-project.ts";
import { setTrust } from "../place/config/trust.ts";

/** Lets a person change files of a project that they trust, without asking them about it afterwards. */
export async function keepTrust(change: () => Promise<void>): Promise<void> {
  const before = await openProject(".");
  await change();
  const after = await openProject(".");
  if (before.trust === "trusted") await setTrust(after, true, after.now, {});
  else note(`It does not count until you trust the folder: cogency trust ${oneLine(after.top, 300)}`);
}
