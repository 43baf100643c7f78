# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# bash completion of nophook. The command itself supplies all words: `nophook --complete` prints the verbs, and `nophook
# VERB --complete` a line for each option: its names, the kind of its value (empty: it has none) and the known values,
# with a tab between them. From the program's name on, the line of `record` is that program's; behind cc and c++ it is
# the compiler's.

# Sets `options` and, for each option that has a value, takes[NAME] and values[NAME].
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
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
  # readline replaces only the part behind the last colon, as in Store::get.
  [[ $word != *:* || $COMP_WORDBREAKS != *:* ]] || COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*:}"}"}")
}

# Processes that serve their tree, for verbs whose first argument is one.
_nophook_pids() {
  nophook ps --json 2>/dev/null | sed -n 's/.*"pid":\([0-9]*\).*/\1/p'
}

# Functions of the process, which is the first argument, if their name is one word.
_nophook_functions() { # PID
  nophook get "$1" available_filter_functions 2>/dev/null | sed -n 's/^\([A-Za-z0-9_:~]*\)\( \[.*\)\{0,1\}$/\1/p'
}

# Functions of a recording: the last word that is a file, or nophook.data.
_nophook_recorded() { # SUFFIX
  local data=nophook.data other
  for other in "${words[@]:2}"; do
    [[ ! -f $other ]] || data=$other
  done
  [[ ! -f $data ]] || nophook info --functions --names short "$data" 2>/dev/null | sed -n "s/^[A-Za-z0-9_:~]*\$/&$1/p"
}

# `words`: COMP_WORDS up to the cursor, with names such as Store::get in one word.
_nophook_join() {
  local i
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    if ((i > 1)) && [[ ${COMP_WORDS[i]} =~ ^:+$ || ${words[-1]} == *: ]]; then
      words[-1]+=${COMP_WORDS[i]}
    else
      words+=("${COMP_WORDS[i]}")
    fi
  done
}

_nophook() {
  local words=() i
  _nophook_join
  local word=${words[-1]} verb=${words[1]} count=$((${#words[@]} - 1)) options=()
  local previous=${words[count - 1]}
  local -A takes values
  local reads='^(report|graph|latency|stack|diff|export|script)$'
  COMPREPLY=()
  if ((count == 1)); then
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
  if [[ $previous =~ ^(-l|--filter|-n|--notrace|-g|--graph)$ && ${words[2]} =~ ^[0-9]+$ ]]; then
    _nophook_offer "$(_nophook_functions "${words[2]}")"
    return
  fi
  if [[ $verb =~ $reads && $previous =~ ^(-F|-N|-H|--function|--notrace|--hide)$ || $verb == latency && $previous == --to ]]; then
    _nophook_offer "$(_nophook_recorded)"
    return
  fi
  if [[ $verb =~ $reads && $previous == --where ]]; then
    _nophook_offer "$(_nophook_recorded .)"
    compopt -o nospace 2>/dev/null
    return
  fi
  if ((count == 2)) && [[ $word != -* && $verb =~ ^(graph|latency)$ ]]; then
    _nophook_offer "$(_nophook_recorded)"
    ((${#COMPREPLY[@]})) || compopt -o default 2>/dev/null
    return
  fi
  if ((count == 2)) && [[ $word != -* && $verb =~ ^(attach|get|reset|set|show|start|stat|stop|top|trace-cmd|mount)$ ]]; then
    _nophook_offer "$(_nophook_pids)"
    ((${#COMPREPLY[@]})) || compopt -o default 2>/dev/null
    return
  fi
  if ((count == 3)) && [[ $verb == patch && $previous =~ ^(apply|list|revert|status|unload)$ ]]; then
    _nophook_offer "$(_nophook_pids)"
    return
  fi
  if ((count == 2)) && [[ $verb == patch && $word != -* ]]; then
    _nophook_offer "apply build compare list revert status unload"
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
