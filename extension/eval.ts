// Translates code for omp's own interpreters into shell commands that do the same.
//
// The core judges shell commands, including the code in `python3 -c` and `node -e`. What only omp's interpreters have
// becomes other commands: their helpers that write files, and in Python `!` lines and IPython's "magics".

/** The shell commands that do what `code` does. */
export function commandsOfCode(code: string, language: "js" | "py"): string[] {
  if (language === "js") return [`node -e ${shellQuoted(code)}`, ...helperWrites(code)];
  const { plain, commands } = splitMagics(code);
  return [`python3 -c ${shellQuoted(plain)}`, ...helperWrites(plain), ...commands];
}

/** The text quoted for the shell, so that it stays one word. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Commands that write the files which the code passes to the interpreter's own `write` and `append`. */
function helperWrites(code: string): string[] {
  const calls = code.matchAll(
    /(?<![\w.])(?:write|append)\s*\(\s*(?:path\s*=\s*)?[fr]?(["'`])((?:(?!\1)[^\n])+)\1/g,
  );
  return [...calls].flatMap(([, , path = ""]) =>
    /^[a-z][\w+.-]*:\/\//i.test(path) ? [] : [`: > ${shellQuoted(path)}`],
  );
}

/** Python code without IPython's magic lines (`%cd`, `!ls`), and the shell commands that those run. */
function splitMagics(code: string): { plain: string; commands: string[] } {
  const plain: string[] = [];
  const commands: string[] = [];
  // A magic with two percent signs applies to the rest of the cell.
  const cell = /^[^\S\n]*%%(\w+)([^\n]*)\n?/m.exec(code);
  // A line that ends in a backslash continues in the next.
  const lines = code.slice(0, cell?.index).replaceAll("\\\n", " ").split("\n");
  for (const line of lines) {
    const [, mark, text = ""] = /^\s*(?:[\w\s,.[\]]+=\s*)?([!%])(.*)$/.exec(line) ?? [];
    if (mark === "!") commands.push(text.trim());
    else if (mark === "%") commands.push(...lineCommands(text.trim()));
    else plain.push(line);
  }
  if (cell) {
    const [head, name = "", args = ""] = cell;
    commands.push(...cellCommands(name, args.trim(), code.slice(cell.index + head.length)));
  }
  return { plain: plain.join("\n"), commands };
}

function cellCommands(name: string, args: string, body: string): string[] {
  switch (name) {
    case "bash":
      return [body];
    case "writefile":
      return [`: > ${shellQuoted(args.replace(/^(?:-a|--append)\s+/, ""))}`];
    default:
      // Other cell magics run their body as code.
      return commandsOfCode(body, "py");
  }
}

function lineCommands(text: string): string[] {
  const [, name, args = ""] = /^(\w+)\s*(.*)$/.exec(text) ?? [];
  switch (name) {
    case "load":
      return [`cat ${shellQuoted(args)}`];
    case "time":
    case "timeit":
      return commandsOfCode(args, "py");
    default:
      return [];
  }
}
