# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# bash completion of nophook. Everything that it knows it asks of the command itself: `nophook
# --complete` prints the verbs, and `nophook VERB --complete` a line for each option: its names, what
# its value is (nothing: it has none) and the values that are known, with a tab between them. From
# the program's name on, the line of `record` is that program's; behind cc and c++ it is the compiler's.

# Sets `options` and, of each option that has a value, takes[NAME] and values[NAME].
_nophook_read() { # VERB
  local names type known name
  while IFS= read -r names; do
    known=${names##*$'\t'} type=${names#*$'\t'}
    names=${names%%$'\t'*} type=${type%%$'\t'*}
    for name in ${names//,/ }; do
      options+=("$name")
      [[ -z $type ]] || takes[$name]=$type values[$name]=$known
    done
  done < <(nophook "$1" --complete 2>/dev/null)
}

_nophook_offer() { # WORDS: those that begin as the word does
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "${COMP_WORDS[COMP_CWORD]}")
}

# Processes that serve their tree, for verbs whose first argument is one.
_nophook_pids() {
  nophook ps --json 2>/dev/null | sed -n 's/.*"pid":\([0-9]*\).*/\1/p'
}

# Functions of the process, which is the first argument: those whose name is one word.
_nophook_functions() { # PID
  nophook get "$1" available_filter_functions 2>/dev/null | sed -n 's/^\([A-Za-z0-9_:~]*\)\( \[.*\)\{0,1\}$/\1/p'
}

_nophook() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} i
  local options=()
  local -A takes values
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _nophook_offer "$(nophook --complete 2>/dev/null) --help --version"
    return
  fi
  [[ $verb == cc || $verb == c++ ]] || _nophook_read "$verb"
  if [[ $verb == record ]]; then
    for ((i = 2; i < COMP_CWORD; i++)); do
      if [[ -n ${takes[${COMP_WORDS[i]}]} ]]; then
        ((i++))
      elif [[ ${COMP_WORDS[i]} != -?* ]]; then # the program
        declare -F _command_offset >/dev/null && _command_offset "$i"
        return
      fi
    done
  fi
  if [[ $previous =~ ^(-l|--filter|-n|--notrace|-g|--graph)$ && ${COMP_WORDS[2]} =~ ^[0-9]+$ ]]; then
    _nophook_offer "$(_nophook_functions "${COMP_WORDS[2]}")"
    return
  fi
  if ((COMP_CWORD == 2)) && [[ $word != -* && $verb =~ ^(attach|get|reset|set|show|start|stat|stop|top|trace-cmd|mount)$ ]]; then
    _nophook_offer "$(_nophook_pids)"
    ((${#COMPREPLY[@]})) || compopt -o default 2>/dev/null
    return
  fi
  if [[ -n ${values[$previous]} ]]; then
    _nophook_offer "${values[$previous]}"
    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
  elif [[ -n ${takes[$previous]} && ! ${takes[$previous]} =~ ^(PATH|DIR|OTHER)$ ]]; then
    return # a number, a glob: nothing to offer
  elif [[ $word == -* && ${#options[@]} -gt 0 ]]; then
    _nophook_offer "${options[*]}"
  else
    compopt -o default 2>/dev/null
  fi
}
complete -F _nophook nophook
