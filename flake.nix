# Builds Tempo with Nix: `nix run . -- --help`, `nix develop` for a shell with the tools.
{
  description = "Tempo: an open 6502 toolchain";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      workspace = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).workspace.package;
    in
    {
      packages = each (pkgs: rec {
        # Without the browser page of `tempo play`, which needs the WebAssembly target of rustup.
        tempo = pkgs.rustPlatform.buildRustPackage {
          pname = "tempo";
          version = workspace.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--bin" "tempo" ];
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          TEMPO_COMMIT = self.shortRev or "";
          postInstall = ''
            $out/bin/tempo man man
            installManPage man/*.1
            for shell in bash zsh fish; do
              $out/bin/tempo completions $shell > tempo.$shell
              installShellCompletion --$shell tempo.$shell
            done
          '';
          meta = {
            description = "Assembler, emulator, test runner and debugger for the 6502 and the Commodore 64";
            homepage = workspace.repository;
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "tempo";
          };
        };
        default = tempo;
      });

      devShells = each (pkgs: {
        default = pkgs.mkShell { packages = [ pkgs.rustup pkgs.gnumake pkgs.nodejs ]; };
      });
    };
}
