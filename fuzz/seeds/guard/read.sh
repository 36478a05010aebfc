cat src/a.ts | head -n 20; sed -n "1,3p" b.py
