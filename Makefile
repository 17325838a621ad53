# Targets are thin: each calls one command a person could type.
.DEFAULT_GOAL := all
CARGO ?= cargo

.PHONY: all
all: ## build the toolchain
	$(CARGO) build --release --bin tempo

.PHONY: test
test: ## every test
	$(CARGO) test --workspace

.PHONY: check
check: ## fmt, clippy, tests: what CI runs
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(MAKE) test

.PHONY: bench
bench: ## the numbers docs quote
	$(CARGO) bench --workspace

.PHONY: help
help: ## this list
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16
