# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# bash completion of nophook. Options are asked of the command itself (`--help`), so that this
# file does not have to be kept in step with it; from the program's name on, a command line is
# that program's, and behind cc and c++ it is the compiler's.

_nophook_words() { # WHAT: the verbs, or the options of a verb
  case $1 in
    verbs) nophook --help 2>/dev/null | sed -nE 's/^  nophook ([a-z+]+) .*, nophook ([a-z+]+) .*/\1 \2/p; t; s/^  nophook ([a-z-]+) .*/\1/p' ;;
    *) nophook "$1" --help 2>/dev/null | grep -oE '^  (-[a-z],)?--[a-z-]+' | tr ',' '\n' ;;
  esac
}

_nophook() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$(_nophook_words verbs) --help --version" -- "$word")
    return
  fi
  if [[ $verb == record ]]; then
    for ((i = 2; i < COMP_CWORD; i++)); do
      case ${COMP_WORDS[i]} in
        -p | -l | -n | -S | -o | -m | --tracer | --filter | --notrace | --set | --output | --buffer | --wait | --max-size | --duration) ((i++)) ;;
        -?*) ;;
        *) # the program
          declare -F _command_offset >/dev/null && _command_offset "$i"
          return ;;
      esac
    done
    case $previous in
      -p | --tracer)
        mapfile -t COMPREPLY < <(compgen -W 'function function_graph profile nop' -- "$word")
        return ;;
      -S | --set)
        mapfile -t COMPREPLY < <(compgen -S = -W 'auto_notrace log max_graph_depth perf_counters perf_map set_ftrace_filter set_ftrace_notrace set_ftrace_notrace_pid set_ftrace_pid set_graph_function set_graph_notrace set_usdt_filter trace_clock trace_options tracing_cpumask tracing_on tracing_thresh' -- "$word")
        return ;;
      -l | -n | -m | --filter | --notrace | --buffer | --wait | --max-size | --duration) return ;;
    esac
  fi
  if [[ $verb == report ]]; then
    case $previous in
      -O | --option)
        mapfile -t COMPREPLY < <(compgen -W "$(nophook report -O '' 2>&1 >/dev/null | sed -n 's/.*`no`: \(.*\))$/\1/p')" -- "$word")
        return ;;
      --head | --function | --notrace | --tid | --pid | --time | --min-duration | --depth) return ;;
    esac
  fi
  if [[ $verb == start && ($previous == -p || $previous == --tracer) ]]; then
    mapfile -t COMPREPLY < <(compgen -W 'function function_graph profile nop' -- "$word")
    return
  fi
  if [[ $verb == export && $previous == --format ]]; then
    mapfile -t COMPREPLY < <(compgen -W trace.dat -- "$word")
    return
  fi
  case $verb in
    record | attach | report | recover | latency | stack | stat | ps | get | set | start | stop | show | reset | top | mount | trace-cmd | tracefs-exec | list | why | export)
      if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_nophook_words "$verb")" -- "$word")
        return
      fi ;;
  esac
  compopt -o default 2>/dev/null
}
complete -F _nophook nophook
