for f in *.js; do [ -f "$f" ] && awk '{print $1 > "o"}' "$f"; done
