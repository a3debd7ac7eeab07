"""One module a subcommand: flags, a request, a service, text. They import click; the rest when they run."""
