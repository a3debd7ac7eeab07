"""The floor of everything in Python that looks at files: list a tree, stat each file, keep the answer."""

import os
import sys

waiting, found = [sys.argv[1]], {}
while waiting:
    with os.scandir(waiting.pop()) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            else:
                seen = entry.stat(follow_symlinks=False)
                found[entry.path] = (seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino)
