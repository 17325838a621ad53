# Targets are thin: each calls one command a person could type.
.DEFAULT_GOAL := all
CARGO ?= cargo
# `make dist` builds with the profile of that name.
PROFILE ?= release
TEMPO := target/$(PROFILE)/tempo
# The other .6502 files there are included by these.
SUITES := $(shell grep -l "^suites" tests/*.6502)
# Each step prints one line; what its commands print goes to the log.
LOG := build/make.log
STEP := tools/release/step $(LOG)
START := $(shell date +%s)
# For `tempo --version`.
COMMIT := $(shell git rev-parse --short=10 HEAD 2> /dev/null)
export CARGO

.PHONY: all
all: prg ## build the toolchain and the chess image, print where it is and how to run it
	@echo
	@echo "the toolchain:    $(TEMPO) --help"
	@echo "the chess image:  build/chess.prg and build/chess.d64"
	@test ! -f build/tempo.wasm || echo "play it here:     $(TEMPO) play"
	@test -f build/tempo.wasm || echo "play it here:     $(TEMPO) play --terminal"
	@echo "on a C64:         LOAD\"CHESS\",8 and RUN; F1 is the menu, F2 the page of help"
	@echo "done in $$(($$(date +%s) - $(START))) s; the log is $(LOG)"
	@test -f build/tempo.wasm || { echo; \
	  echo "The browser page of 'tempo play' was left out: the WebAssembly target could not be added."; \
	  echo "To get it: rustup target add wasm32-unknown-unknown && make"; }

.PHONY: tempo
tempo: machine ## build the toolchain
	@TEMPO_COMMIT=$(COMMIT) $(STEP) "building the toolchain" $(CARGO) build --profile $(PROFILE) --bin tempo

.PHONY: machine
machine: ## the C64 of the page: build/tempo.wasm; adds the WebAssembly target if it is missing
	@mkdir -p build && : > $(LOG)
	@$(STEP) "building the C64 of the page" tools/machine/web/build $(PROFILE)

.PHONY: prg d64
prg d64: tempo ## the chess image: build/chess.prg, packed, and .d64; build/chess-plain.prg with .sym and .vs, and its memory map
	@$(STEP) "assembling the chess program" $(TEMPO) asm asm/main.asm --out-dir build -o build/chess-plain.prg --symbols=build/chess-plain.sym --vice-symbols=build/chess.vs --memory-map
	@$(STEP) "packing it" $(TEMPO) pack build/chess-plain.prg -o build/chess.prg
	@$(STEP) "writing its disk" $(TEMPO) asm asm/disk.asm --out-dir build

.PHONY: web
web: prg ## the chess page and the playground, for any static host: build/web (the playground needs Node and npm)
	@mkdir -p build/web
	cp tools/machine/web/page/* build/tempo.wasm build/web/
	cp build/chess-plain.prg build/web/chess.prg
	cp build/chess-plain.sym build/web/chess.sym
	@if command -v npm > /dev/null; then tools/editors/playground/build; else echo "the playground was left out: it needs Node and npm"; fi
	@du -sh build/web

PREFIX ?= /usr/local
DESTDIR ?=
PLACE = $(DESTDIR)$(PREFIX)
.PHONY: install uninstall
install: ## put the built program, its man pages and completions under PREFIX (/usr/local); DESTDIR for packagers
	@test -x $(TEMPO) || { echo "$(TEMPO) is missing: run make first, as yourself"; exit 1; }
	install -d $(PLACE)/bin $(PLACE)/share/man/man1 $(PLACE)/share/bash-completion/completions \
	  $(PLACE)/share/zsh/site-functions $(PLACE)/share/fish/vendor_completions.d
	install -m 755 $(TEMPO) $(PLACE)/bin/tempo
	$(TEMPO) man $(PLACE)/share/man/man1
	$(TEMPO) completions bash > $(PLACE)/share/bash-completion/completions/tempo
	$(TEMPO) completions zsh > $(PLACE)/share/zsh/site-functions/_tempo
	$(TEMPO) completions fish > $(PLACE)/share/fish/vendor_completions.d/tempo.fish
uninstall: ## remove the installed files
	rm -f $(PLACE)/bin/tempo $(PLACE)/share/man/man1/tempo.1 $(PLACE)/share/man/man1/tempo-*.1 \
	  $(PLACE)/share/bash-completion/completions/tempo $(PLACE)/share/zsh/site-functions/_tempo \
	  $(PLACE)/share/fish/vendor_completions.d/tempo.fish

TARGET ?=
.PHONY: dist
dist: ## an archive to release: build/dist; the same bytes on every run; TARGET=x86_64-pc-windows-gnu for another system
	tools/release/dist $(TARGET)

.PHONY: check-platforms
check-platforms: ## check the workspace for Windows and macOS; no linker is needed
	rustup target add x86_64-pc-windows-gnu aarch64-apple-darwin
	$(CARGO) check --workspace --target x86_64-pc-windows-gnu
	$(CARGO) check --workspace --target aarch64-apple-darwin

# Tests use the development profile, whose `tempo` the suites run on too: nothing waits for a release build.
# `cargo run` would build it again, with the features of one package instead of those of all.
.PHONY: test
test: ## everything that must pass
	$(CARGO) test --workspace
	$${CARGO_TARGET_DIR:-target}/debug/tempo test $(SUITES)

# One part at a time, while working on it.
.PHONY: test-emu test-asm test-harness test-rules test-chess
test-emu: ## the CPU alone
	$(CARGO) test -p tempo-emu
test-asm: ## the assembler, its command line with the conformance cases, and the file formats alone
	$(CARGO) test -p tempo-formats -p tempo-assembler -p tempo-kickass
test-harness: ## the .6502 language alone
	$(CARGO) test -p tempo-harness
test-rules: ## chess, game specs and Enochian chess alone
	$(CARGO) test -p tempo-boardgame -p tempo-chess -p tempo-gamespec -p tempo-enochian
test-chess: ## the chess program alone: its suites, and its moves against the reference rules
	$(CARGO) run --quiet --bin tempo -- test $(SUITES)
	$(CARGO) run --quiet --bin tempo -- diff --games 2

.PHONY: test-browser
test-browser: tempo ## the pages of `tempo play` and `tempo studio` in Chromium, which must be installed; pictures in build/browser
	cd tools/machine/web/tests && npm install --no-audit --no-fund --silent
	TEMPO=$(TEMPO) node tools/machine/web/tests/browser.mjs
	TEMPO=$(TEMPO) node tools/machine/web/tests/studio.mjs

.PHONY: pictures
pictures: tempo ## the pictures of docs/ of Studio, taken in Chromium
	cd tools/machine/web/tests && npm install --no-audit --no-fund --silent
	TEMPO=$(TEMPO) node tools/machine/web/tests/pictures.mjs

.PHONY: test-playground
test-playground: tempo ## the playground in Chromium; not part of .ci/run
	cd tools/machine/web/tests && npm install --no-audit --no-fund --silent
	tools/editors/playground/build
	TEMPO=$(TEMPO) node tools/machine/web/tests/playground.mjs

# With VSCODE_TARGET=linux-x64, win32-x64, darwin-arm64 … the program goes into the package.
VSCODE_TARGET ?=
.PHONY: vscode
vscode: ## the extension for VS Code: build/tempo.vsix (needs Node and npm)
	cd tools/editors/vscode && npm ci --no-audit --no-fund --silent && npm run --silent check && npm test --silent
	TEMPO=$(TEMPO) tools/editors/vscode/package $(VSCODE_TARGET)

.PHONY: test-editors
test-editors: tempo ## the language server and the debugger under real editors; installs what is missing
	TEMPO=$(TEMPO) tests/editors/run

.PHONY: check
check: ## fmt, clippy, tests: the part of .ci/run that needs nothing installed
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(MAKE) test

.PHONY: bench
bench: ## the numbers docs quote
	$(CARGO) bench --workspace

# How many times the usual rounds.
FUZZ ?= 20

.PHONY: fuzz
fuzz: ## fuzz longer than the tests; FUZZ= factor, COUNT= inputs, MINUTES= time, SEED= start
	FUZZ=$(FUZZ) $(CARGO) test --profile fuzz -p tempo-emu --test netlist --test couplings
	FUZZ=$(FUZZ) $(CARGO) test --profile fuzz -p tempo-assembler --test fuzz -p tempo-harness --test dsl
	FUZZ=$(FUZZ) $(CARGO) test --profile fuzz -p tempo-chess --test agent -p tempo-gamespec --test specs -p tempo-enochian --test enochian
	FUZZ=$(FUZZ) $(CARGO) test --profile fuzz -p tempo --test commands fuzz:: -- --nocapture
	FUZZ=$(FUZZ) $(CARGO) test --profile fuzz -p tempo --bin tempo damaged
	FUZZ=$(FUZZ) $(CARGO) test --profile fuzz -p tempo-lsp --lib sessions -- --nocapture
	FUZZ=$(FUZZ) $(CARGO) test --profile fuzz -p tempo-dap --test dap sessions -- --nocapture
	FUZZ=$(FUZZ) $(CARGO) test --profile fuzz -p tempo-disasm --test equal -p tempo-chess --test pgn -p tempo-editor --test format

.PHONY: test-windows
test-windows: tempo ## the program for Windows under wine, its files compared with ours (needs wine, wine64, mingw-w64)
	rustup target add x86_64-pc-windows-gnu
	$(CARGO) build --release --bin tempo --target x86_64-pc-windows-gnu
	TEMPO=$(TEMPO) tests/windows/run

.PHONY: docs
docs: ## the pages of docs/ as a book with a search: build/book (needs mdBook)
	@command -v mdbook > /dev/null || { echo "mdBook is not installed: cargo install mdbook --locked"; \
	  echo "docs/SUMMARY.md lists the pages, which are plain Markdown"; exit 1; }
	mdbook build docs
	@# What lies outside the book is linked where it lies in the checkout.
	perl -pi -e 's#href="\.\./([^"]*)"#href="../../$$1"#g; s#(href="\.\./\.\./[^"]*)\.html"#$$1.md"#g' build/book/*.html

TRIES ?= 200
.PHONY: test-kill
test-kill: tempo ## kill -9 at random moments while commands write, TRIES=200 each (needs Python)
	TEMPO=$(TEMPO) tests/kill/run $(TRIES)

.PHONY: vice
vice: prg ## run in x64sc, if it is installed
	x64sc build/chess.prg

.PHONY: help
help: ## this list
	@grep -hE '^[a-z0-9 -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16
