import type { Place } from "../../harness/place.ts";
import { git } from "./git.ts";

/** Scripts that change the root so that git runs the program `payload` when the user calls git later. */
export type LaterGitScript = [name: string, prepare: (place: Place) => void, script: (payload: string) => string];

export const laterGitScripts: readonly LaterGitScript[] = [
  ["a repository where there was none", () => {}, (payload) => `git init -q; git config core.fsmonitor ${payload}`],
  [
    "a repository where there was none, with a hook",
    () => {},
    (payload) =>
      `git init -q; mkdir -p .git/hooks; cp ${payload} .git/hooks/pre-commit; cp ${payload} .git/hooks/post-index-change`,
  ],
  [
    "a file in place of a repository",
    () => {},
    (payload) =>
      `git init -q --bare other; git -C other config core.bare false; git -C other config core.worktree "$PWD"; git -C other config core.fsmonitor ${payload}; echo gitdir: other >.git`,
  ],
  [
    "the repository's setting",
    (place) => git(place, ["init", "-q"]),
    (payload) => `git config core.fsmonitor ${payload}`,
  ],
  [
    "the repository's setting, written as a file",
    (place) => git(place, ["init", "-q"]),
    (payload) => `printf '[core]\\n\\tfsmonitor = ${payload}\\n' >>.git/config`,
  ],
  [
    "a hook",
    (place) => git(place, ["init", "-q"]),
    (payload) => `mkdir -p .git/hooks; cp ${payload} .git/hooks/pre-commit; cp ${payload} .git/hooks/post-index-change`,
  ],
  [
    "the repository moved and another in its place",
    (place) => git(place, ["init", "-q"]),
    (payload) => `mv .git old && git init -q && git config core.fsmonitor ${payload}`,
  ],
  [
    "the repository removed and another in its place",
    (place) => git(place, ["init", "-q"]),
    (payload) => `rm -rf .git; git init -q; git config core.fsmonitor ${payload}`,
  ],
  [
    "the setting moved and another in its place",
    (place) => git(place, ["init", "-q"]),
    (payload) => `mv .git/config .git/old; git config core.fsmonitor ${payload}`,
  ],
  [
    "a setting of the worktree",
    (place) => {
      git(place, ["init", "-q"]);
      git(place, ["config", "extensions.worktreeConfig", "true"]);
    },
    (payload) => `printf '[core]\\n\\tfsmonitor = ${payload}\\n' >.git/config.worktree`,
  ],
  [
    "a common folder elsewhere",
    (place) => git(place, ["init", "-q"]),
    (payload) => `git init -q other; git -C other config core.fsmonitor ${payload}; echo ../other/.git >.git/commondir`,
  ],
  [
    "a repository whose folder lies apart",
    (place) => git(place, ["init", "-q", "--separate-git-dir", "meta"]),
    (payload) => `git config core.fsmonitor ${payload}; printf '[core]\\n\\tfsmonitor = ${payload}\\n' >>meta/config`,
  ],
  [
    "a repository whose folder lies apart, named anew",
    (place) => git(place, ["init", "-q", "--separate-git-dir", "meta"]),
    (payload) =>
      `git init -q --bare other; git -C other config core.bare false; git -C other config core.worktree "$PWD"; git -C other config core.fsmonitor ${payload}; echo gitdir: other >.git`,
  ],
  [
    "a file that the setting includes",
    (place) => {
      git(place, ["init", "-q"]);
      place.put("root/team.gitconfig", "[user]\n\tname = team\n");
      git(place, ["config", "include.path", "../team.gitconfig"]);
    },
    (payload) => `printf '[core]\\n\\tfsmonitor = ${payload}\\n' >team.gitconfig`,
  ],
  [
    "hooks in a folder of the root",
    (place) => {
      git(place, ["init", "-q"]);
      place.put("root/githooks/pre-push", "#!/bin/sh\n");
      git(place, ["config", "core.hooksPath", "githooks"]);
    },
    (payload) => `cp ${payload} githooks/pre-commit; cp ${payload} githooks/post-index-change`,
  ],
];
