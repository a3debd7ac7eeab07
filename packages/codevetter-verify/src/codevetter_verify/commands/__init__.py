"""One function a subcommand: flags, a request, a service, text. Imports click only; the rest when it runs."""
