export type Shell = "bash" | "zsh" | "fish";

/** The script that makes a shell complete the command line of `cogency`. */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `# Completes the command line of cogency. Put this into ~/.bashrc:
#   eval "$(cogency completion bash)"
_cogency() {
  local word line files=
  word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then files=1; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <(cogency _complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ -n "$files" ]; then
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _cogency cogency
`,
  zsh: `#compdef cogency
# Completes the command line of cogency. Put this into ~/.zshrc, after compinit:
#   eval "$(cogency completion zsh)"
_cogency() {
  local line files=
  local -a names texts
  for line in "\${(@f)$(cogency _complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ "$line" == ":files" ]]; then
      files=1
    elif [[ -n "$line" ]]; then
      names+=("\${line%%$'\\t'*}")
      texts+=("\${line%%$'\\t'*}  \${line#*$'\\t'}")
    fi
  done
  (( \${#names} )) && compadd -l -d texts -a names
  [[ -n "$files" ]] && _files
}
compdef _cogency cogency
`,
  fish: `# Completes the command line of cogency. Put this into ~/.config/fish/config.fish:
#   cogency completion fish | source
function __cogency_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (cogency _complete -- $words[2..-1] 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c cogency -f -a '(__cogency_complete)'
`,
};
