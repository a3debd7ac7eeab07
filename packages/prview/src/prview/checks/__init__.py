"""The programs and rules that look at a change. One module a check; `registry` lists them."""
