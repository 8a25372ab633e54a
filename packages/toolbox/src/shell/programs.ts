/**
 * Whether words that follow this beginning of a command can be, or can name, a program that is then run: interpreters,
 * shells, wrappers, remote shells, build tools, package managers, editors and pagers. Judged by the name of the
 * program, wherever it lies and whatever version its name ends in.
 */
export function runsOthers(program: string, words: readonly string[]): boolean {
  const name = baseName(program);
  if (name === "git") return !LOCAL_GIT.has(words[0] ?? "");
  return RUNNERS.has(name) || RUNNERS.has(name.replace(/[-.\d]+$/, "")) || /^(?:git|ld-linux|ld-musl)\b/.test(name);
}

/** Whether no option of a program can run another, write a file or reach the network; only those known to be so. */
export function optionsAreHarmless(program: string): boolean {
  return HARMLESS.has(program);
}

function baseName(program: string): string {
  return program
    .slice(program.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat)$/, "");
}

const HARMLESS = new Set(
  (
    "basename cat cksum cmp comm cut df dirname du echo expand expr false fold groups head id join ls md5sum nl " +
    "nproc od paste printf pwd readlink realpath rev seq sha1sum sha256sum sha512sum stat tac tail test tr true tsort " +
    "uname unexpand wc which whoami"
  ).split(" "),
);

/** Subcommands of git of which no operand is a program or an address; their options are not among what is allowed. */
const LOCAL_GIT = new Set(
  (
    "add blame branch cat-file check-ignore checkout commit describe diff grep log ls-files ls-tree merge-base mv " +
    "restore rev-list rev-parse rm shortlog show stash status switch tag"
  ).split(" "),
);

const RUNNERS = new Set(
  [
    "ash bash busybox csh dash elvish fish ksh mksh nu osh powershell pwsh rbash sh tcsh toybox xonsh yash zsh",
    "awk bc bun clojure dc deno elixir erl expect gawk gdb ghci gjs go groovy guile irb jjs java jshell julia lldb lua",
    "luajit m4 mawk nawk node nodejs ocaml octave osascript perl php pypy python pythonw r racket raku ruby rscript",
    "scala scheme sed sqlite swift tclsh ts-node tsx vala wish",
    "builtin chpst chroot chrt command cpulimit doas dbus-run-session entr env eval exec faketime find firejail flock",
    "gosu hyperfine ionice launchctl ltrace machinectl nice nohup nsenter numactl parallel pkexec proot prlimit",
    "run-parts runcon runuser script setarch setpriv setsid ssh-agent start-stop-daemon stdbuf strace su sudo",
    "systemd-run taskset time timeout torsocks unbuffer unshare valgrind watch watchexec xargs xvfb-run",
    "ansible docker ftp kubectl lftp lxc mosh multipass nc ncat netcat nerdctl podman rsh rsync scp screen sftp socat",
    "ssh telnet tmux vagrant wsl",
    "ant apk apt apt-get aptitude bazel brew bundle bundler cabal cargo cmake composer conan conda corepack dnf dotnet",
    "dpkg emerge ember flatpak gem gmake gradle gradlew gulp grunt hatch just lerna make mamba maven meson mix mvn",
    "mvnw nix nix-shell ninja npm npx nx pacman pdm pip pipenv pipx pnpm pnpx poetry port rake rpm rustup rye sbt scons",
    "snap stack task tox turbo uv uvx volta yarn yum zypper nvm bunx",
    "cc clang clang++ gcc g++ ld tar cpio zip 7z man less more most pg ed ex emacs emacsclient helix hx micro nano nvim pico vi",
    "bpython crystal dart escript iex ipython jbang jupyter kotlin kotlinc mono nim qjs runghc runhaskell rustc sbcl tcc",
    "wasmer wasmtime zig clisp cscript csi d8 groovysh gs hhvm lksh osh pdksh rc rksh ruby rvim scala-cli ysh",
    "bwrap capsh catchsegv chronic direnv dtach dumb-init envdir fakeroot ifne linux32 linux64 nodemon nsjail perf pm2",
    "rlwrap rr schroot setuidgid sg softlimit sshpass autossh tini concurrently cross-env dotenv fakechroot pee vidir",
    "docker-compose podman-compose gh helm hg terraform",
    "bmake cabal-install ctest invoke jest mocha nosetests nox pre-commit py.test pytest rollup vite vitest waf",
    "webpack xmake eslint gvim joe kak mg bat man bsdtar gtar unzip rar convert magick tex latex pdflatex",
    "view vim vimdiff at batch crontab systemctl service jq yq open xdg-open start cmd wscript cscript rundll mshta",
  ]
    .join(" ")
    .split(" "),
);
