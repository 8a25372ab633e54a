/** Scripts for a command in the sandbox that leave something in the root which a later start of the app, or of git, would obey. */
export type MadePlace = [name: string, script: string];

export const madePlaces: readonly MadePlace[] = [
  ["configuration of a folder", "mkdir -p x/y/.git x/y/.cogency; echo evil > x/y/.cogency/config.json"],
  ["configuration far below", "mkdir -p a/b/c/d/e/f/.cogency; echo evil > a/b/c/d/e/f/.cogency/rules.json"],
  ["configuration by a renamed folder", "mkdir -p x/n; echo evil > x/n/config.json; mv x/n x/.cogency"],
  ["configuration by a link", "mkdir x n; echo evil > n/config.json; ln -s ../n x/.cogency"],
  ["a setting more in the configuration", "echo evil >> .cogency/config.json"],
  ["another configuration in its place", "mv .cogency old; mkdir .cogency; echo evil > .cogency/config.json"],
  ["instructions", "echo evil > x.md; mv -f x.md AGENTS.md"],
  ["instructions of a folder", "mkdir -p x/y; echo evil > x/y/AGENTS.md"],
  ["instructions by a link to a secret", "rm -f AGENTS.md; ln -s ../outside/secret.txt AGENTS.md"],
  ["instructions by a hard link", "mkdir x; echo evil > n.md; ln n.md x/AGENTS.md"],
  ["instructions through the target of their link", "echo evil > docs/team.md"],
  ["instructions in a folder that is closed", "mkdir x; echo evil > x/AGENTS.md; chmod 000 x"],
  ["instructions behind many folders", "mkdir -p m/{1..3000}; mkdir -p m/9/z; echo evil > m/9/z/AGENTS.md"],
  ["instructions by a daemon", "(setsid sh -c 'sleep 0.3; echo evil > AGENTS.md' &) ; exit 0"],
  ["a repository with a program", "mkdir y; git init -q y; git -C y config core.fsmonitor ./evil"],
];
