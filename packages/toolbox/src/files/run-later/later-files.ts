/** Why a change of what a package manager has installed runs later. */
export const installedWhy = "programs load it, and no review shows that it changed";

/** Reasons and globs. The globs are compared with paths below the base of the root. */
export const projectFiles: readonly (readonly [what: string, files: string])[] = [
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
  [installedWhy, "node_modules/** .venv/** venv/** site-packages/** .tox/** .nox/** .direnv/**"],
  [
    "the program that it is made for runs it at its next start",
    `.irbrc .pryrc .rprofile .renviron .octaverc .psqlrc .sqliterc .duckdbrc .my.cnf .inputrc .screenrc .tmux.conf .curlrc .wgetrc
    .ackrc .ctags .ctags.d/** .lesskey .nanorc .emacs .emacs.d/** .guile .iex.exs .ghci .ocamlinit .perltidyrc .rspec
    .jupyter/** .ipython/** .pdbrc .pdbrc.py .julia/config/** .terraformrc .m2/** .sbt/** .pylintrc .rgrc .ripgreprc desktop.ini autorun.inf`,
  ],
];

/** Reasons and globs for files in home folders, compared with absolute paths. */
export const personalFiles: readonly (readonly [what: string, files: string])[] = [
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
export const systemFiles: readonly (readonly [what: string, files: string])[] = [
  [
    "the system obeys it, or runs it",
    "etc/** var/spool/** lib/** lib64/** usr/lib/** usr/libexec/** boot/** library/** system/**",
  ],
  [
    "it stands where programs are looked up by their bare names",
    "bin/** sbin/** usr/bin/** usr/sbin/** usr/local/bin/** usr/local/sbin/** usr/local/lib/** opt/*/bin/** opt/bin/**",
  ],
];

export function globsOf(files: string): string[] {
  return files.split(/(?<!\\)\s+/);
}
