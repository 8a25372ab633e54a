/**
 * Whether a change of a `package.json` changes what is run from it: its scripts, and what names hooks, programs and the
 * package manager. What cannot be compared counts as changed.
 */
export function changesScripts(before: string | undefined, after: string): boolean {
  const [old, new_] = [before === undefined ? {} : parsed(before), parsed(after)];
  if (old === undefined || new_ === undefined) return true;
  return RUN.some((key) => JSON.stringify(old[key]) !== JSON.stringify(new_[key]));
}

const RUN = [
  "scripts",
  "bin",
  "gypfile",
  "husky",
  "simple-git-hooks",
  "gitHooks",
  "pre-commit",
  "pre-push",
  "lint-staged",
  "packageManager",
  "devEngines",
  "pnpm",
  "trustedDependencies",
  "allowScripts",
  "eslintConfig",
  "stylelint",
  "prettier",
];

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
