import { messageOf } from "../base/errors/message-of.ts";
import { counted } from "../base/terminal/text.ts";
import { type ExtensionOptions, openExtensions } from "../work/extensions/open-extensions.ts";
import type { Finding } from "./finding.ts";

/** Whether the tools and extensions of the person's own can be used. Nothing is said where there are none. */
export async function checkExtensions(options: ExtensionOptions): Promise<Finding[]> {
  try {
    const { extensions, problems } = await openExtensions(options, () => {});
    const works = extensions.map(({ name, tools }): Finding => {
      return { about: "extension", state: "ok", text: `${name}, ${counted(tools.length, "tool")}` };
    });
    return [...works, ...problems.map(faultOf)];
  } catch (error) {
    return [faultOf(messageOf(error as Error))];
  }
}

function faultOf(text: string): Finding {
  const mend = "Mend the module, or take it out of tools in the configuration; the others work without it.";
  return { about: "extension", state: "fault", text, mend };
}
