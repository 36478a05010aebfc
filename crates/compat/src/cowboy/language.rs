//! The languages we know: their names, their files and how they mark a comment.

/// How a language marks a comment at the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Marker {
    /// What starts it.
    pub open: &'static str,
    /// What ends it; empty if the comment ends with the line.
    pub close: &'static str,
}

/// A language and how to recognize it. All names are lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Language {
    /// What it is called; the first name is the one we print.
    pub names: &'static [&'static str],
    /// The extensions of its files.
    pub extensions: &'static [&'static str],
    /// Files that are recognized by their whole name.
    pub files: &'static [&'static str],
    /// How it writes a comment.
    pub marker: Marker,
}

impl Language {
    /// The language of this name, file extension or path.
    pub(super) fn find(name_or_path: &str) -> Option<&'static Self> {
        let given = name_or_path.trim().to_lowercase();
        let file = given.rsplit(['/', '\\']).next().unwrap_or_default();
        let extension = file.rsplit('.').next().unwrap_or_default();
        // `Dockerfile.dev` is a `Dockerfile` and `.env.local` a `.env`.
        let stem = file.get(1..).and_then(|rest| rest.find('.')).map_or(file, |at| &file[..=at]);
        let by = |known: fn(&Self) -> &'static [&'static str], wanted: &str| {
            LANGUAGES.iter().find(|language| known(language).contains(&wanted))
        };
        by(|language| language.names, &given)
            .or_else(|| by(|language| language.files, file))
            .or_else(|| by(|language| language.extensions, extension))
            .or_else(|| by(|language| language.files, stem))
    }
}

const fn language(
    open: &'static str,
    close: &'static str,
    names: &'static [&'static str],
    extensions: &'static [&'static str],
    files: &'static [&'static str],
) -> Language {
    let marker = Marker { open, close };
    Language { names, extensions, files, marker }
}

/// Every language we know, grouped by marker.
#[rustfmt::skip]
pub(super) const LANGUAGES: &[Language] = &[
    language("//", "", &["c"], &["c", "h"], &[]),
    language("//", "", &["c++", "cpp"], &["cpp", "cc", "cxx", "hpp", "hh", "hxx", "ino"], &[]),
    language("//", "", &["c#", "csharp"], &["cs", "csx"], &[]),
    language("//", "", &["java"], &["java"], &[]),
    language("//", "", &["javascript", "node"], &["js", "mjs", "cjs", "jsx"], &[]),
    language("//", "", &["typescript"], &["ts", "mts", "cts", "tsx"], &[]),
    language("//", "", &["rust"], &["rs"], &[]),
    language("//", "", &["go", "golang"], &["go"], &["go.mod"]),
    language("//", "", &["swift"], &["swift"], &[]),
    language("//", "", &["kotlin"], &["kt", "kts"], &[]),
    language("//", "", &["scala"], &["scala", "sc", "sbt"], &[]),
    language("//", "", &["dart"], &["dart"], &[]),
    language("//", "", &["php"], &["php", "phtml"], &[]),
    language("//", "", &["groovy", "gradle"], &["groovy", "gradle"], &["jenkinsfile"]),
    language("//", "", &["objective-c", "objc"], &["m", "mm"], &[]),
    language("//", "", &["zig"], &["zig", "zon"], &[]),
    language("//", "", &["d"], &["d"], &[]),
    language("//", "", &["f#", "fsharp"], &["fs", "fsx", "fsi"], &[]),
    language("//", "", &["pascal", "delphi"], &["pas", "dpr"], &[]),
    language("//", "", &["solidity"], &["sol"], &[]),
    language("//", "", &["protobuf", "proto"], &["proto"], &[]),
    language("//", "", &["verilog", "systemverilog"], &["v", "sv", "svh"], &[]),
    language("//", "", &["scss", "sass"], &["scss", "sass"], &[]),
    language("//", "", &["less"], &["less"], &[]),
    language("//", "", &["glsl", "wgsl", "hlsl"], &["glsl", "vert", "frag", "wgsl", "hlsl"], &[]),
    language("//", "", &["cuda"], &["cu", "cuh"], &[]),
    language("//", "", &["gleam"], &["gleam"], &[]),
    language("//", "", &["odin"], &["odin"], &[]),
    language("//", "", &["prisma"], &["prisma"], &[]),
    language("//", "", &["jsonc", "json5"], &["jsonc", "json5"], &["tsconfig.json"]),
    language("#", "", &["python"], &["py", "pyi", "pyw"], &["sconstruct"]),
    language("#", "", &["ruby"], &["rb", "rake", "gemspec"], &["gemfile", "rakefile", "podfile", "vagrantfile"]),
    language("#", "", &["shell", "sh", "bash", "zsh"], &["sh", "bash", "zsh", "ksh"], &[".bashrc", ".zshrc", ".profile", ".bash_profile"]),
    language("#", "", &["fish"], &["fish"], &[]),
    language("#", "", &["powershell"], &["ps1", "psm1", "psd1"], &[]),
    language("#", "", &["perl"], &["pl", "pm", "t"], &[]),
    language("#", "", &["r"], &["r"], &[".rprofile"]),
    language("#", "", &["julia"], &["jl"], &[]),
    language("#", "", &["elixir"], &["ex", "exs"], &[]),
    language("#", "", &["nim"], &["nim", "nims"], &[]),
    language("#", "", &["crystal"], &["cr"], &[]),
    language("#", "", &["tcl"], &["tcl"], &[]),
    language("#", "", &["awk"], &["awk"], &[]),
    language("#", "", &["yaml"], &["yaml", "yml"], &[]),
    language("#", "", &["toml"], &["toml"], &["cargo.lock", "pipfile"]),
    language("#", "", &["make", "makefile"], &["mk", "mak"], &["makefile", "gnumakefile"]),
    language("#", "", &["cmake"], &["cmake"], &["cmakelists.txt"]),
    language("#", "", &["docker", "dockerfile"], &["dockerfile"], &["dockerfile", "containerfile"]),
    language("#", "", &["terraform", "hcl"], &["tf", "tfvars", "hcl"], &[]),
    language("#", "", &["nix"], &["nix"], &[]),
    language("#", "", &["graphql"], &["graphql", "gql"], &[]),
    language("#", "", &["starlark", "bazel"], &["bzl", "star"], &["build.bazel", "workspace"]),
    language("#", "", &["just", "justfile"], &["just"], &["justfile"]),
    language("#", "", &["gdscript"], &["gd"], &[]),
    language("#", "", &["coffeescript"], &["coffee"], &[]),
    language("#", "", &["properties", "dotenv"], &["properties", "env"], &[".env", ".editorconfig"]),
    language("#", "", &["gitignore"], &["gitignore", "dockerignore"], &[".gitignore", ".gitattributes", ".dockerignore", ".npmignore", "requirements.txt"]),
    language("--", "", &["sql"], &["sql"], &[]),
    language("--", "", &["lua"], &["lua"], &[]),
    language("--", "", &["ada"], &["adb", "ads"], &[]),
    language("--", "", &["vhdl"], &["vhd", "vhdl"], &[]),
    language("--", "", &["elm"], &["elm"], &[]),
    language("--", "", &["purescript"], &["purs"], &[]),
    language("--", "", &["applescript"], &["applescript", "scpt"], &[]),
    language("{-", "-}", &["haskell"], &["hs", "lhs"], &[]),
    language("(*", "*)", &["ocaml"], &["ml", "mli"], &["dune-workspace"]),
    language("(*", "*)", &["standard ml", "sml"], &["sml", "sig"], &[]),
    language("(*", "*)", &["wolfram", "mathematica"], &["wl", "wls"], &[]),
    language(";", "", &["lisp", "common lisp"], &["lisp", "lsp", "cl"], &[]),
    language(";", "", &["emacs lisp", "elisp"], &["el"], &[".emacs"]),
    language(";", "", &["scheme", "racket"], &["scm", "ss", "rkt"], &[]),
    language(";", "", &["clojure"], &["clj", "cljs", "cljc", "edn"], &[]),
    language(";", "", &["assembly", "asm", "nasm"], &["asm", "nasm"], &[]),
    language(";", "", &["ini"], &["ini", "cfg"], &[".gitconfig"]),
    language(";", "", &["llvm"], &["ll"], &[]),
    language("%", "", &["latex", "tex"], &["tex", "sty", "cls", "bib"], &[]),
    language("%", "", &["matlab", "octave"], &["matlab"], &[]),
    language("%", "", &["erlang"], &["erl", "hrl"], &["rebar.config"]),
    language("%", "", &["prolog"], &["pro", "prolog"], &[]),
    language("\"", "", &["vim", "vimscript"], &["vim"], &[".vimrc", "_vimrc"]),
    language("'", "", &["visual basic", "vb", "vba"], &["vb", "bas", "vbs"], &[]),
    language("!", "", &["fortran"], &["f90", "f95", "f03", "f08"], &[]),
    language("& REM", "", &["batch", "cmd"], &["bat", "cmd"], &[]),
    language("/*", "*/", &["css"], &["css"], &[]),
    language("<!--", "-->", &["html"], &["html", "htm", "xhtml"], &[]),
    language("<!--", "-->", &["xml", "svg"], &["xml", "svg", "xsl", "xsd", "plist", "csproj"], &["pom.xml"]),
    language("<!--", "-->", &["markdown"], &["md", "markdown", "mdx"], &[]),
    language("<!--", "-->", &["vue"], &["vue"], &[]),
    language("<!--", "-->", &["svelte"], &["svelte"], &[]),
    language("{{!--", "--}}", &["handlebars"], &["hbs", "handlebars"], &[]),
    language("{#", "#}", &["jinja", "twig"], &["j2", "jinja", "twig"], &[]),
    language("<%#", "%>", &["erb"], &["erb"], &[]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, name: &str) {
        let found = Language::find(given).map(|language| language.names[0]);
        assert_eq!(found, Some(name), "{given:?}");
    }

    #[test]
    fn a_language_is_found_by_name_extension_and_path() {
        check("Rust", "rust");
        check("rs", "rust");
        check(".rs", "rust");
        check("src/main.rs", "rust");
        check("C:\\src\\Main.RS", "rust");
        check("C++", "c++");
        check("Makefile", "make");
        check("docker/Dockerfile.dev", "docker");
        check("web.Dockerfile", "docker");
        check(".env.local", "properties");
        check("CMakeLists.txt", "cmake");
        check("a/.bashrc", "shell");
        check("app.test.ts", "typescript");
        check("Cargo.lock", "toml");
        check("go.mod", "go");
    }

    #[test]
    fn a_format_without_comments_is_not_found() {
        for given in ["json", "package.json", "a.csv", "", ".", "/", "README", "é.é", "..", "src/"]
        {
            assert_eq!(Language::find(given), None, "{given:?}");
        }
    }

    #[test]
    fn no_name_stands_for_two_languages() {
        let fields: [fn(&Language) -> &'static [&'static str]; 3] =
            [|it| it.names, |it| it.extensions, |it| it.files];
        for field in fields {
            let mut all: Vec<&str> = LANGUAGES.iter().flat_map(field).copied().collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count);
            assert!(all.iter().all(|name| name.to_lowercase() == *name));
        }
        assert!(LANGUAGES.len() >= 40);
    }
}
