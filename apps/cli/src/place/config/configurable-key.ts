import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { unknownKey } from "./config-problem.ts";
import { isSettingName, type SettingName, settingNames } from "./settings.ts";

/** @throws UsageError for a name that is not a key; it says which one was meant */
export function configurableKey(name: string): SettingName {
  if (isSettingName(name)) return name;
  throw new UsageError(oneLine(`In a configuration ${unknownKey("", name, settingNames)}`, 600));
}
