"""From changed files to the routes that a visit can open, by the file conventions of web frameworks."""
