bash -c "eval \"$(printf '%s' cat)\" f" | tee >(grep x) ; f(){ cat "$@"; }; f {a,b}.txt
