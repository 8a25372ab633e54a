import { parseGitConfig } from "./git-config.ts";

/**
 * Names the settings of git that differ between two texts of a configuration. Undefined if only those differ that no program runs
 * by: the branches that are followed, what is fetched, the author, and what git notes of the file system.
 */
export function changedSettings(before: string, after: string): string | undefined {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const keys = [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key));
  const named = keys.slice(0, mostNamed).join(", ");
  return keys.length === 0 ? undefined : named + (keys.length > mostNamed ? ", …" : "");
}

const mostNamed = 5;

function valuesOf(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const { key, value } of parseGitConfig(text)) {
    if (harmless.test(key)) continue;
    values.set(key, `${values.get(key) ?? ""}\n${value ?? "true"}`);
  }
  return values;
}

const harmless =
  /^(?:branch\..*\.(?:remote|merge|rebase)|remote\..*\.fetch|user\.(?:name|email)|core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|symlinks|precomposeunicode))$/s;
