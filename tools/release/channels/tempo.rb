# Homebrew: a formula of a tap.
class Tempo < Formula
  desc "{{description}}"
  homepage "{{repository}}"
  version "{{version}}"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "{{url aarch64-apple-darwin}}"
      sha256 "{{sha256 aarch64-apple-darwin}}"
    end
    on_intel do
      url "{{url x86_64-apple-darwin}}"
      sha256 "{{sha256 x86_64-apple-darwin}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url aarch64-unknown-linux-musl}}"
      sha256 "{{sha256 aarch64-unknown-linux-musl}}"
    end
    on_intel do
      url "{{url x86_64-unknown-linux-musl}}"
      sha256 "{{sha256 x86_64-unknown-linux-musl}}"
    end
  end

  def install
    bin.install "tempo"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/tempo.bash" => "tempo"
    zsh_completion.install "completions/_tempo"
    fish_completion.install "completions/tempo.fish"
  end

  test do
    (testpath/"hello.asm").write "*=$1000\n rts\n"
    system bin/"tempo", "asm", "hello.asm"
    assert_equal "\x00\x10\x60".b, (testpath/"hello.prg").binread
  end
end
