"""Translations: keys that a change leaves out of some languages."""
