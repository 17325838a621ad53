//! One module a command. Each has `Args` (clap) and `run(Args) -> Exit`.
