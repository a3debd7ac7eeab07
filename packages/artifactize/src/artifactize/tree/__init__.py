"""Reading the reviewed repository: declarations, files, digests. Nothing here writes or follows links."""
