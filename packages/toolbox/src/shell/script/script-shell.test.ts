import { describe, expect, it } from "vitest";
import { ShellError } from "../errors.ts";
import { scriptStart } from "./script-shell.ts";

describe("scriptStart", () => {
  const only = (name: string) => (asked: string) => (asked === name ? `/bin/${name}` : undefined);

  it("takes bash, and sh where there is none", () => {
    const args = ["--noprofile", "--norc", "-o", "pipefail", "-c", "a | b"];
    expect(scriptStart("a | b", (name) => `/x/${name}`, {})).toEqual({ program: "/x/bash", args, env: {} });
    expect(scriptStart("a | b", only("sh"), {})).toEqual({ program: "/bin/sh", args: ["-c", "a | b"], env: {} });
  });

  it("refuses where there is no shell", () => {
    expect(() => scriptStart("a | b", only("zsh"), {})).toThrow(ShellError);
    expect(() => scriptStart("a | b", only("zsh"), {})).toThrow(
      expect.objectContaining({ code: "syntax_refused", message: expect.stringContaining("neither bash nor sh") }),
    );
  });

  it("leaves out the variables that steer shells, and names that are none", () => {
    const kept = { PATH: "/bin", HOME: "/h", LC_ALL: "C", CI: "1", TERM: "x", GIT_CONFIG_COUNT: "1", MY_IFS: "x" };
    const steering = [
      ...["BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_COMPAT", "BASH_XTRACEFD", "PS0", "PS4", "IFS", "CDPATH"],
      ...["GLOBIGNORE", "GLOBSORT", "FIGNORE", "EXECIGNORE", "POSIXLY_CORRECT", "PROMPT_COMMAND", "TMOUT", "HISTFILE"],
      ...["BASH_FUNC_ls%%", "BASH_FUNC_ls()", "a b", "OLDPWD", "PWD", "BASH_LOADABLES_PATH", "TIMEFORMAT", "INPUTRC"],
    ];
    const env = { ...kept, ...Object.fromEntries(steering.map((name) => [name, "x"])) };
    expect(scriptStart("a | b", only("bash"), env).env).toEqual(kept);
  });

  it.each([
    ["C", true],
    ["de_DE.UTF-8", true],
    ["ca_ES.utf8@valencia", true],
    ["", true],
    ["UTF-8", true],
    ["ja_JP.SJIS", false],
    ["zh_TW", false],
    ["zh_TW.Big5", false],
  ])(
    "keeps the locale %j: %s, because in some charsets a byte of a letter is a sign of the shell",
    (locale, isKept) => {
      for (const name of ["LANG", "LC_ALL", "LC_CTYPE"])
        expect(scriptStart("a | b", only("bash"), { [name]: locale }).env).toEqual(isKept ? { [name]: locale } : {});
    },
  );
});
