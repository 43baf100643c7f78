# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# fish completion of nophook. As nophook.bash, it asks the command itself for all words.

# Words that may stand at the cursor.
function __nophook_words
    set -l words (commandline -opc) # words in front of the cursor's
    set -l verb $words[2]
    set -l previous $words[-1]
    if string match -qr '^(cc|c\+\+)$' -- $verb
        return
    end
    # Functions of a recording: the last word that is a file, or nophook.data.
    set -l suffix
    set -l reads report graph latency stack diff export script
    if contains -- $verb $reads; and test $previous = --where
        set suffix .
    else if contains -- $verb $reads; and contains -- $previous -F -N -H --function --notrace --hide
        set suffix ''
    else if test $verb = latency; and test $previous = --to
        set suffix ''
    else if test (count $words) = 2; and contains -- $verb graph latency; and not string match -q -- '-*' (commandline -ct)
        set suffix ''
    end
    if set -q suffix[1]
        set -l data nophook.data
        for other in $words[3..-1]
            test -f $other; and set data $other
        end
        nophook info --functions --names short $data 2>/dev/null | string replace -rf '^([A-Za-z0-9_:~]+)$' '$1'$suffix
        return
    end
    set -l takes_value 0
    for line in (nophook $verb --complete 2>/dev/null)
        set -l fields (string split \t -- $line)
        if contains -- $previous (string split , -- $fields[1]); and test -n "$fields[2]"
            set takes_value 1
            string split -n ' ' -- $fields[3]
        end
    end
    if string match -qr '^(-l|--filter|-n|--notrace|-g|--graph)$' -- $previous; and string match -qr '^[0-9]+$' -- $words[3]
        nophook get $words[3] available_filter_functions 2>/dev/null | string replace -rf '^([A-Za-z0-9_:~]+)( \[.*)?$' '$1'
        return
    end
    test $takes_value = 1; and return
    if string match -q -- '-*' (commandline -ct)
        nophook $verb --complete 2>/dev/null | string replace -r '\t.*' '' | string split ,
    else if test (count $words) = 2; and contains -- $verb attach get reset set show start stat stop top trace-cmd mount
        nophook ps --json 2>/dev/null | string replace -rf '.*"pid":([0-9]+).*' '$1'
    else if test (count $words) = 2; and test $verb = patch
        string split ' ' 'apply build compare list revert status unload'
    else if test (count $words) = 3; and test $verb = patch; and contains -- $previous apply list revert status unload
        nophook ps --json 2>/dev/null | string replace -rf '.*"pid":([0-9]+).*' '$1'
    end
end

complete -c nophook -f -n 'test (count (commandline -opc)) = 1' -a '(nophook --complete 2>/dev/null; echo --help; echo --version)'
complete -c nophook -n 'test (count (commandline -opc)) -gt 1' -a '(__nophook_words)'
