type Variables = Readonly<Record<string, string | undefined>>;

/** The environment of a server's program: what a program needs to start, and what the host names. Nothing else of this process. */
export function programEnvironment(named: Variables = {}, own: Variables = process.env): Record<string, string> {
  const passed = Object.entries(own).filter(([name, value]) => isPassed(name) && !value?.startsWith("()"));
  return Object.fromEntries(
    [...passed, ...Object.entries(named)].filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function isPassed(name: string): boolean {
  return process.platform === "win32"
    ? onWindows.has(name.toUpperCase())
    : elsewhere.has(name) || /^LC_[A-Z]+$/.test(name);
}

const elsewhere = new Set(["HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"]);

const onWindows = new Set([
  "APPDATA",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROGRAMW6432",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
]);
