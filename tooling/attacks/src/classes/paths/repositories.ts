import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../harness/place.ts";
import { git } from "./git.ts";

/** A layout of a repository. `gitDir` is the folder of git, below the root. */
export interface Repository {
  name: string;
  gitDir: string;
  make(place: Place): void;
}

export const repositories: readonly Repository[] = [
  { name: "an ordinary one", gitDir: ".git", make: (place) => git(place, ["init", "-q"]) },
  {
    name: "its folder apart",
    gitDir: "meta",
    make: (place) => git(place, ["init", "-q", "--separate-git-dir", "meta"]),
  },
  {
    name: "its folder apart and hidden deep",
    gitDir: "docs/images/x",
    make(place) {
      mkdirSync(join(place.root, "docs/images"), { recursive: true });
      git(place, ["init", "-q", "--separate-git-dir", "docs/images/x"]);
    },
  },
  {
    name: ".git is a link",
    gitDir: "real",
    make(place) {
      git(place, ["init", "-q"]);
      renameSync(join(place.root, ".git"), join(place.root, "real"));
      symlinkSync("real", join(place.root, ".git"));
    },
  },
  {
    name: ".git is a link to a link",
    gitDir: "real",
    make(place) {
      git(place, ["init", "-q"]);
      renameSync(join(place.root, ".git"), join(place.root, "real"));
      symlinkSync("real", join(place.root, "middle"));
      symlinkSync("middle", join(place.root, ".git"));
    },
  },
  {
    name: ".git names a folder by way of a link",
    gitDir: "real",
    make(place) {
      git(place, ["init", "-q"]);
      renameSync(join(place.root, ".git"), join(place.root, "real"));
      symlinkSync("real", join(place.root, "alias"));
      writeFileSync(join(place.root, ".git"), "gitdir: alias\n");
    },
  },
  { name: "a bare one is the root", gitDir: ".", make: (place) => git(place, ["init", "-q", "--bare", "."]) },
  {
    name: "a bare one beside its worktree",
    gitDir: "store.git",
    make(place) {
      git(place, ["init", "-q", "--bare", "store.git"]);
      writeFileSync(join(place.root, ".git"), "gitdir: ./store.git\n");
    },
  },
  {
    name: "a worktree's own folder",
    gitDir: "main/.git/worktrees/wt",
    make(place) {
      worktree(place);
    },
  },
  {
    name: "a worktree's common folder",
    gitDir: "main/.git",
    make(place) {
      worktree(place);
    },
  },
  {
    name: "a repository in a folder of the root",
    gitDir: "packages/inner/.git",
    make(place) {
      git(place, ["init", "-q", "packages/inner"]);
    },
  },
  {
    name: "a submodule",
    gitDir: ".git/modules/sub",
    make(place) {
      git(place, ["init", "-q"]);
      mkdirSync(join(place.root, ".git/modules"));
      mkdirSync(join(place.root, "sub"));
      git(place, ["init", "-q", "--separate-git-dir", join(place.root, ".git/modules/sub")], join(place.root, "sub"));
    },
  },
  {
    name: "a submodule whose folder is kept apart with it",
    gitDir: "meta/modules/sub",
    make(place) {
      git(place, ["init", "-q", "--separate-git-dir", "meta"]);
      mkdirSync(join(place.root, "meta/modules"));
      mkdirSync(join(place.root, "sub"));
      git(place, ["init", "-q", "--separate-git-dir", join(place.root, "meta/modules/sub")], join(place.root, "sub"));
    },
  },
];

function worktree(place: Place): void {
  git(place, ["init", "-q", "main"]);
  git(place, ["commit", "-q", "--allow-empty", "-m", "x"], join(place.root, "main"));
  git(place, ["worktree", "add", "-q", "../wt"], join(place.root, "main"));
  cpSync(join(place.root, "wt/.git"), join(place.root, ".git"));
}
