echo "x=$((1+2))" > a.txt && sed -i 's/a/b/' c.txt
