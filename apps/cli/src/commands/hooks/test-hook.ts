import { hookName, tryHook } from "@cogency/hook-programs";
import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { isObject } from "../../base/is-object.ts";
import { put } from "../../base/terminal/output.ts";
import { oneLine, visible } from "../../base/terminal/text.ts";
import { appPlaces } from "../../place/own-paths.ts";
import { lastText } from "../../work/hooks/hook-text.ts";
import { placedHooks } from "../../work/hooks/open-hooks.ts";
import { type HooksOptions, hooksHere } from "./hooks-here.ts";

/**
 * `cogency hooks test`: runs one hook with a sample of what it reads, and shows what it did.
 *
 * @returns the exit code: 1 if the hook failed
 * @throws UsageError for a hook that does not count here
 */
export async function testHook(
  name: string,
  { input, ...options }: HooksOptions & { input?: string },
): Promise<number> {
  const { project } = await hooksHere(options);
  const hooks = await placedHooks(project, options, appPlaces());
  const found = hooks.find(({ program }) => hookName(program) === name);
  if (!found)
    throw unknown(
      name,
      hooks.map(({ program }) => hookName(program)),
    );
  const about = input === undefined ? undefined : aboutIn(input);
  const tried = await tryHook(found.program, { root: options.root, about });
  const { end, outcome } = tried;
  const parts = [
    `read: ${JSON.stringify(tried.input)}`,
    ...(end === undefined ? [] : [`ended: ${end.signal === null ? `exit code ${end.exitCode}` : end.signal}`]),
    ...(end?.stdout.trim() ? [`stdout: ${end.stdout.trimEnd()}`] : []),
    ...(end?.stderr.trim() ? [`stderr: ${end.stderr.trimEnd()}`] : []),
    `so: ${lastText(outcome)}`,
  ];
  await put(`${visible(parts.join("\n"))}\n`);
  return outcome.outcome === "failed" ? 1 : 0;
}

function aboutIn(file: string): object {
  const text = readRegularText(file);
  if (text === undefined) throw new UsageError(`--input: there is no file ${oneLine(file, 300)}.`);
  const content = parseJson(file, text);
  if (!isObject(content)) throw new UsageError(`--input: ${oneLine(file, 300)} has to be one JSON object.`);
  return content;
}

function unknown(name: string, names: readonly string[]): UsageError {
  const [nearest] = nearestNames(name, names);
  const advice =
    names.length === 0
      ? "There are none here."
      : nearest === undefined
        ? "cogency hooks list shows those that there are."
        : `Did you mean ${JSON.stringify(nearest)}?`;
  return new UsageError(oneLine(`There is no hook ${JSON.stringify(name)} here. ${advice}`, 400));
}
