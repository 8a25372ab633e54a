import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * The variables by which git knows who commits, and of which files it takes no notice, added to those that `env` gives it.
 * The user's own settings are in the home folder, which a sandbox has not.
 *
 * @param excluded path of a file with patterns
 */
export async function gitSettings(
  git: string,
  env: NodeJS.ProcessEnv,
  excluded: string | undefined,
): Promise<NodeJS.ProcessEnv> {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  if (!Number.isSafeInteger(count) || count < 0) return {};
  identity ??= ask(git);
  const all = [...(await identity), ...(excluded === undefined ? [] : [["core.excludesFile", excluded] as const])];
  const settings = all.map(([name, value], at) => [
    [`GIT_CONFIG_KEY_${count + at}`, name],
    [`GIT_CONFIG_VALUE_${count + at}`, value],
  ]);
  return { ...Object.fromEntries(settings.flat()), GIT_CONFIG_COUNT: `${count + settings.length}` };
}

let identity: Promise<(readonly [name: string, value: string])[]> | undefined;

async function ask(git: string): Promise<(readonly [string, string])[]> {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  const options = { cwd: "/", env: { HOME, XDG_CONFIG_HOME }, timeout: 5000 };
  const args = ["config", "--global", "--null", "--get-regexp", "^user\\.(name|email)$"];
  // Without any it ends with 1.
  const { stdout } = await promisify(execFile)(git, args, options).catch(() => ({ stdout: "" }));
  return stdout.split("\0").flatMap((setting) => {
    const [, name, value] = /^(user\.(?:name|email))\n(.*)$/s.exec(setting) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
}
