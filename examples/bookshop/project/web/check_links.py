"""Every href and src that starts with / leads to a page or a public file: python3 check_links.py"""

import re
import sys
from pathlib import Path

pages = Path("src/pages")
public = Path("public")


def leads_somewhere(link: str) -> bool:
    name = link.strip("/") or "index"
    return (pages / f"{name}.html").is_file() or (public / name).is_file()


links = [
    (page, link)
    for page in sorted(pages.rglob("*.html"))
    for link in re.findall(r'(?:href|src)="(/[^"]*)"', page.read_text(encoding="utf-8"))
]
dead = [(page, link) for page, link in links if not leads_somewhere(link)]
for page, link in dead:
    print(f"{page}: {link} leads nowhere")
print(f"{len(links)} links, {len(dead)} dead")
sys.exit(bool(dead))
