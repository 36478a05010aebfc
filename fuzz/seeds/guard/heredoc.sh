cat <<'EOF' > f
line $x
EOF
python3 - <<PY
open('a','w').write("b")
PY
