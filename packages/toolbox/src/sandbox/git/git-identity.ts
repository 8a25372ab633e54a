import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * Returns variables that set the user's name and email and the ignored files for git, added to the settings in `env`. A sandbox
 * needs them because the user's own settings are in the home folder, which it does not show.
 *
 * @param excluded path of a file with patterns of ignored files
 */
export async function gitSettings(
  git: string,
  env: NodeJS.ProcessEnv,
  excluded: string | undefined,
): Promise<NodeJS.ProcessEnv> {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  if (!Number.isSafeInteger(count) || count < 0) return {};
  identity ??= readIdentity(git);
  const all = [...(await identity), ...(excluded === undefined ? [] : [["core.excludesFile", excluded] as const])];
  const settings = all.map(([name, value], at) => [
    [`GIT_CONFIG_KEY_${count + at}`, name],
    [`GIT_CONFIG_VALUE_${count + at}`, value],
  ]);
  return { ...Object.fromEntries(settings.flat()), GIT_CONFIG_COUNT: `${count + settings.length}` };
}

let identity: Promise<(readonly [name: string, value: string])[]> | undefined;

async function readIdentity(git: string): Promise<(readonly [string, string])[]> {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  const options = { cwd: "/", env: { HOME, XDG_CONFIG_HOME }, timeout: 5000 };
  const args = ["config", "--global", "--null", "--get-regexp", "^user\\.(name|email)$"];
  // git exits with 1 if neither is set.
  const { stdout } = await promisify(execFile)(git, args, options).catch(() => ({ stdout: "" }));
  return stdout.split("\0").flatMap((setting) => {
    const [, name, value] = /^(user\.(?:name|email))\n(.*)$/s.exec(setting) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
}
