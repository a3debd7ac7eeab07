"""Checks of JavaScript, TypeScript and style sheets."""
