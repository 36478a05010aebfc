# The formula of the program for a Homebrew tap. The version and the checksums are those of the last
# release: `node scripts/release/release.mjs assets` fills them in and puts the formula beside the archives.
class Hashline < Formula
  desc "Line anchors for coding agents: read, edit and undo by tagged lines"
  homepage "https://github.com/pi-hash/pi-hash"
  version "0.1.0"
  license "MIT"

  on_macos do
    on_arm do
      url "https://github.com/pi-hash/pi-hash/releases/download/v#{version}/hashline-#{version}-darwin-arm64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_intel do
      url "https://github.com/pi-hash/pi-hash/releases/download/v#{version}/hashline-#{version}-darwin-x64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/pi-hash/pi-hash/releases/download/v#{version}/hashline-#{version}-linux-arm64-gnu.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_intel do
      url "https://github.com/pi-hash/pi-hash/releases/download/v#{version}/hashline-#{version}-linux-x64-gnu.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  def install
    bin.install "hashline"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/hashline.bash" => "hashline"
    zsh_completion.install "completions/_hashline"
    fish_completion.install "completions/hashline.fish"
  end

  test do
    (testpath/"a.txt").write "first\n"
    assert_match "1:", shell_output("#{bin}/hashline read #{testpath}/a.txt")
    assert_match version.to_s, shell_output("#{bin}/hashline --version")
  end
end
