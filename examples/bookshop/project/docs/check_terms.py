"""Every **bold** term of guide.md stands in the glossary: python3 check_terms.py TERMS"""

import re
import sys
from pathlib import Path

known = set(Path(sys.argv[1]).read_text(encoding="utf-8").split("\n"))
bold = re.findall(r"\*\*(.+?)\*\*", Path("guide.md").read_text(encoding="utf-8"))
unknown = sorted({term.lower() for term in bold} - known)
for term in unknown:
    print(f"guide.md: '{term}' is not in the glossary")
print(f"{len(bold)} bold terms, {len(unknown)} undefined")
sys.exit(bool(unknown))
