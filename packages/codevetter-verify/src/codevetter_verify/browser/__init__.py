"""The visit itself: Chromium through Playwright, which nothing outside this package imports."""
