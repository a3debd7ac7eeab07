"""Packs and runs on disk. Everything under PRVIEW_HOME is read and written here."""
