"""Test suites of languages whose runners know no plugins of ours."""
