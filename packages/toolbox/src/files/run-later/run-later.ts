import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { namedGitFolders } from "../confine/git-folder.ts";
import { isNamed } from "../confine/obeyed-names.ts";
import { isInside, pathInRoot, type Root } from "../confine/root.ts";
import { compileGlob } from "../glob.ts";
import { type GitSettings, inHome, readGitSettings, sharedSettings } from "./git-config.ts";

/**
 * Returns why a change of the file with this real path makes a program run later although no person starts it: a sentence for
 * the person who is asked. Undefined for all other files. It compares names, so it cannot find every such file.
 */
export async function runsLater(root: Root, real: string): Promise<string | undefined> {
  const shown = pathInRoot(root, real);
  // Rules for projects see only the path below the base: a project inside a folder `.claude` is not a setting of an agent.
  const inProject = isInside(root.base, real) ? shown : real;
  for (const { tests, what, isOfProject } of rules) {
    const path = folded(isOfProject ? inProject : real).replace(/^\/+/, "");
    if (tests.some((test) => test(path))) return `"${shown}": ${what}.`;
  }
  if (await isInstruction(root, real)) return `"${shown}": agents obey it, and it can tell them what to do.`;
  const named = await namedByGit(real);
  return named && `"${shown}": ${named}.`;
}

/** Whether the file instructs the model: by its name, or because a link with such a name in a folder above leads to it. */
async function isInstruction(root: Root, real: string): Promise<boolean> {
  const { instructions } = root.obeyed;
  if (isNamed(instructions, basename(real))) return true;
  const links = new Set<string>();
  for (let folder = dirname(real); isInside(root.base, folder); folder = dirname(folder)) {
    for (const name of instructions) links.add(await realOrSame(join(folder, name)));
    if (folder === dirname(folder)) break;
  }
  return links.has(real);
}

/** Whether a file is a `package.json`, for which `changesScripts` decides. */
export function isPackageManifest(real: string): boolean {
  return folded(real).endsWith("/package.json");
}

/** Reasons and globs. The globs are compared with paths below the base of the root. */
const projectFiles: readonly (readonly [what: string, files: string])[] = [
  [
    "what it names is fetched and run at the next install, test or build",
    "package.json package.yaml package.json5 composer.json binding.gyp project/*.sbt project/*.scala project/build.properties",
  ],
  [
    "it says which code the next install fetches, and from where",
    `package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock composer.lock gemfile.lock
    cargo.lock poetry.lock uv.lock pdm.lock pipfile.lock mix.lock pubspec.lock podfile.lock packages.lock.json flake.lock`,
  ],
  [
    "git runs it as a hook",
    ".husky/** .githooks/** .git-hooks/** lefthook.* .lefthook.* .lefthook/** lefthook-local.*",
  ],
  [
    "a git hook runs what it names",
    `.pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .overcommit.yml .overcommit/**
    .simple-git-hooks.* simple-git-hooks.* .lintstagedrc .lintstagedrc.* lint-staged.config.* commitlint.config.*
    .commitlintrc.* captainhook.json`,
  ],
  ["git runs programs as it says", ".gitattributes .gitconfig .gitmodules .lfsconfig"],
  [
    "it runs as soon as somebody enters the folder",
    ".envrc .direnv/** .mise.toml mise.toml .mise.*.toml mise.*.toml .mise/** mise/** .config/mise.toml .config/mise.*.toml .config/mise/** .autoenv .autoenv.zsh .env.leave",
  ],
  [
    "the package manager obeys it at its next start, and it can name programs and servers",
    `.npmrc .yarnrc .yarnrc.yml .yarnrc.* .yarn/** .pnp.* .pnpmfile.* pnpmfile.* pnpm-workspace.yaml bunfig.toml .bunfig.toml
    pip.conf pip.ini .pip/** .pypirc .condarc .gemrc .bundle/** .cargo/** .mvn/** gradle/wrapper/**
    init.gradle init.d/*.gradle .bazelrc user.bazelrc nuget.config directory.build.props directory.build.targets`,
  ],
  [
    "editors run what it says when the folder is opened",
    `.vscode/** .idea/** .fleet/** .zed/** .vs/** *.code-workspace
    *.sublime-project .devcontainer/** .devcontainer.json .vimrc .exrc .nvimrc .nvim.lua .lvimrc .vim/** .dir-locals.el
    .dir-locals-2.el .projectile .gdbinit .lldbinit .neoconf.json build.rs`,
  ],
  [
    "editors and checks run it as a program",
    `eslint.config.* .eslintrc.js .eslintrc.cjs .eslintrc.mjs prettier.config.* .prettierrc.js .prettierrc.cjs
    .prettierrc.mjs .prettierrc.ts stylelint.config.* .stylelintrc.js .stylelintrc.cjs .stylelintrc.mjs`,
  ],
  [
    "agents obey it: it can start programs for them, or tell them what to do",
    `.mcp.json mcp.json .mcp/** .claude/** .claude.json .cursor/** .cursorrules .cursorignore .codex/** .gemini/**
    .windsurf/** .windsurfrules .codeium/** .continue/** .continuerc.json .aider* .cline/** .clinerules .clinerules/** .roo/**
    .roomodes .roorules* .kiro/** .amazonq/** .opencode/** opencode.json opencode.jsonc .crush.json crush.json .goose/**
    .goosehints .junie/** .augment/** .trae/** .qwen/** .agents/** .agent/** claude.md claude.local.md agents.md agents.override.md
    gemini.md qwen.md warp.md crush.md .rules .github/copilot-instructions.md .github/instructions/** .github/prompts/**
    .github/agents/** .github/chatmodes/** .github/hooks/**`,
  ],
  [
    "the CI runs it, with the CI's keys",
    `.github/workflows/** .github/actions/** **/.forgejo/** .gitea/** action.yml action.yaml .gitlab-ci.yml
    .gitlab-ci.yaml *.gitlab-ci.yml .gitlab/** jenkinsfile jenkinsfile.* *.jenkinsfile .circleci/** .buildkite/** .teamcity/** .travis.yml
    .drone.yml .drone.yaml .drone.star .drone.jsonnet .woodpecker.yml .woodpecker.yaml .woodpecker/** azure-pipelines*.yml azure-pipelines*.yaml
    .azure-pipelines/** .azuredevops/** bitbucket-pipelines.yml appveyor.yml .appveyor.yml .cirrus.yml .cirrus.star
    .semaphore/** buildspec.yml buildspec.yaml cloudbuild.yaml cloudbuild.yml .builds/** .build.yml codemagic.yaml
    netlify.toml vercel.json wercker.yml .tekton/** .earthly/**`,
  ],
  [
    "Python runs it without being asked to",
    "conftest.py sitecustomize.py usercustomize.py *.pth pyvenv.cfg *.egg-link .pythonrc .pythonstartup",
  ],
  [
    "programs load it, and no review shows that it changed",
    "node_modules/** .venv/** venv/** site-packages/** .tox/** .nox/** .direnv/**",
  ],
  [
    "the program that it is made for runs it at its next start",
    `.irbrc .pryrc .rprofile .renviron .octaverc .psqlrc .sqliterc .duckdbrc .my.cnf .inputrc .screenrc .tmux.conf .curlrc .wgetrc
    .ackrc .ctags .ctags.d/** .lesskey .nanorc .emacs .emacs.d/** .guile .iex.exs .ghci .ocamlinit .perltidyrc .rspec
    .jupyter/** .ipython/** .pdbrc .pdbrc.py .julia/config/** .terraformrc .m2/** .sbt/** .pylintrc .rgrc .ripgreprc desktop.ini autorun.inf`,
  ],
];

/** Reasons and globs for files in home folders, compared with absolute paths. */
const personalFiles: readonly (readonly [what: string, files: string])[] = [
  [
    "a shell runs it at its start",
    `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .bashrc.d/** .profile .login .logout .zshrc
    .zshenv .zprofile .zlogin .zlogout .zsh/** .oh-my-zsh/** .kshrc .mkshrc .cshrc .tcshrc .xonshrc *profile.ps1
    .config/fish/** .config/zsh/** .config/nushell/** .config/powershell/** .config/bash/** .config/sh/**`,
  ],
  [
    "it runs when somebody logs in or the machine starts",
    `.xinitrc .xprofile .xsession .xsessionrc .xserverrc .pam_environment .config/environment.d/** .config/autostart/**
    autostart/*.desktop .config/plasma-workspace/** .config/sway/** .config/i3/** .config/hypr/** .local/share/applications/**
    .local/share/dbus-1/** .local/share/systemd/** .config/systemd/** systemd/user/** library/launchagents/**
    library/launchdaemons/** start\\ menu/programs/startup/**`,
  ],
  ["it runs by the clock", "crontab .crontab cron.d/** var/spool/cron/**"],
  ["it lets somebody in, or runs programs when a connection is made", ".ssh/** .rhosts .shosts .gnupg/** .netrc"],
  [
    "other programs run what it names",
    `.config/git/** .aws/** .kube/** .docker/** .azure/** .config/gcloud/** .config/gh/** .config/pip/** .config/npm/** .config/yarn/**
    .config/nvim/** .config/helix/** .config/emacs/** .config/code/** .config/vscodium/** .config/cursor/** .config/zed/**
    .config/jj/** .config/hg/** .hgrc .hg/** .config/tmux/** .config/kitty/** .config/alacritty/** .config/wezterm/** .wezterm.lua
    .mailcap .procmailrc .forward .muttrc .config/direnv/** .config/containers/** .config/opencode/** .config/goose/** .config/crush/**`,
  ],
  ["it stands where programs are looked up by their bare names", ".local/bin/**"],
];

/** Reasons and globs for folders of the system in which almost every file runs or is obeyed. */
const systemFiles: readonly (readonly [what: string, files: string])[] = [
  [
    "the system obeys it, or runs it",
    "etc/** var/spool/** lib/** lib64/** usr/lib/** usr/libexec/** boot/** library/** system/**",
  ],
  [
    "it stands where programs are looked up by their bare names",
    "bin/** sbin/** usr/bin/** usr/sbin/** usr/local/bin/** usr/local/sbin/** usr/local/lib/** opt/*/bin/** opt/bin/**",
  ],
];

interface Rule {
  what: string;
  tests: readonly ((path: string) => boolean)[];
  isOfProject: boolean;
}

const rules: readonly Rule[] = [
  ...projectFiles.map(([what, files]) => ({ what, tests: globsOf(files).map(anywhere), isOfProject: true })),
  ...personalFiles.map(([what, files]) => ({ what, tests: globsOf(files).map(anywhere), isOfProject: false })),
  ...systemFiles.map(([what, files]) => ({ what, tests: globsOf(files).map(compileGlob), isOfProject: false })),
];

function globsOf(files: string): string[] {
  return files.split(/(?<!\\)\s+/);
}

/** Matches in every folder: a glob without `/` is compared with the file name, any other with the end of the path. */
function anywhere(glob: string): (path: string) => boolean {
  return compileGlob(glob.includes("/") ? `**/${glob}` : glob);
}

function folded(path: string): string {
  return path.split(sep).join("/").normalize("NFC").toLowerCase();
}

/** Checks the settings of git in the repositories around a file, because they can name hooks and programs at any path. */
async function namedByGit(real: string): Promise<string | undefined> {
  let shared: readonly GitSettings[] | undefined;
  for (let folder = dirname(real), inner = real; folder !== inner; inner = folder, folder = dirname(folder)) {
    const named = await namedGitFolders(folder);
    if (named.length === 0) continue;
    const files = named.flatMap((git) => [join(git, "config"), join(git, "config.worktree")]);
    shared ??= await Promise.all(sharedSettings().map(readGitSettings));
    for (const read of [...shared, ...(await Promise.all(files.map(readGitSettings)))]) {
      const why = await namedIn(read, folder, real);
      if (why !== undefined) return why;
    }
  }
  return undefined;
}

/** @param worktree the folder that relative paths in settings begin at */
async function namedIn(
  { settings, included, isWhole }: GitSettings,
  worktree: string,
  real: string,
): Promise<string | undefined> {
  for (const file of included) if (isInside(await realOrSame(file), real)) return "git takes its settings from it";
  for (const { key, value = "" } of settings) {
    if (key === "core.hookspath") {
      for (const folder of hookFolders(resolve(worktree, inHome(value)))) {
        if (isInside(await realOrSame(folder), real)) return "git runs it as a hook";
      }
    }
    for (const word of wordsOf(value)) {
      if ((await realOrSame(resolve(worktree, inHome(word)))) === real) return `the setting ${key} of git names it`;
    }
  }
  return isWhole ? undefined : "the settings of git cannot be read whole, and may name it";
}

/** Husky's generated hooks in a folder `_` call the scripts beside that folder. */
function hookFolders(folder: string): string[] {
  return basename(folder) === "_" ? [dirname(folder)] : [folder];
}

/** A setting may be a command line, and any word of it may be a program or a script. */
function wordsOf(value: string): string[] {
  if (value.length > longestCommand || /^(?:true|false|yes|no|on|off|\d+|)$/i.test(value)) return [];
  return value.split(/[\s;&|()<>"'`=!]+/).filter((word) => word !== "");
}

const longestCommand = 8192;

async function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
