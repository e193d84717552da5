"""Makes a site of docs as it is: the navigation is that of docs/README.md, links and headings are as on GitHub."""

import os.path
import posixpath
import re
from pathlib import Path

from properdocs.plugins import get_plugin_logger
from properdocs.structure.files import File
from properdocs.structure.nav import Link, Section

# A warning fails the build of .ci/site, except for that of a release.
log = get_plugin_logger("site")

LINK = re.compile(r"(`+).+?\1|\]\(([^)\s]+)\)")
FENCE = re.compile(r"( *)(```+|~~~+)")
LIST_ITEM = re.compile(r" *([-*]|\d+\.) ")
DELIMITER = re.compile(r"\|[ :|-]+\|$")
HERE = Path(__file__).parent


def on_config(config):
    config.mdx_configs["toc"] = {"slugify": anchor, "permalink": "#"}
    return config


def anchor(heading, separator):
    """The anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", separator)


def on_files(files, config):
    """Adds the pages that docs/README.md names outside docs, and makes the navigation from its headings and tables."""
    root = Path(config.docs_dir).parent
    files.append(File.generated(config, "site.css", abs_src_path=str(HERE / "site.css")))
    config.nav = [{"Documentation": "README.md"}]
    for line in (root / "docs/README.md").read_text().splitlines():
        row = re.match(r"\| \[[^]]*\]\(([^)#]+\.md)\) \|", line)
        if line.startswith("## "):
            section = []
            config.nav.append({line[3:]: section})
        elif row:
            path = posixpath.normpath(posixpath.join("docs", row[1]))
            page = source(path)
            if not path.startswith("docs/") and page not in files.src_uris:
                files.append(File.generated(config, page, abs_src_path=str(root / path)))
            section.append(chapter(page, files) if page.endswith("/README.md") and path.startswith("docs/") else page)
    return files


def chapter(first, files):
    """A folder of docs: its README.md, then its other pages."""
    title = files.src_uris[first].content_string.partition("\n")[0].removeprefix("# ")
    folder = posixpath.dirname(first) + "/"
    return {title: [first, *(page for page in sorted(files.src_uris) if page.startswith(folder) and page != first)]}


def source(path):
    """Where the site has a file of the repository."""
    return path.removeprefix("docs/") if path.startswith("docs/") else "repository/" + path


def on_nav(nav, config, files):
    """Adds the other versions, which are folders beside this one."""
    version = config.extra["version"]
    links = [Link(other, f"../{other}/index.html") for other in (config.extra["versions"] or version).split(",")]
    nav.items.append(Section(version, links))
    return nav


def on_page_markdown(markdown, page, config, files):
    path = Path(page.file.abs_src_path).relative_to(Path(config.docs_dir).parent).as_posix()
    lines = []
    fence = None
    before = ""
    written = markdown.split("\n")
    for number, (line, after) in enumerate(zip(written, written[1:] + [""]), 1):
        opening = FENCE.match(line)
        if fence is None:
            # For GitHub an item of a list may follow any line, and its text be indented by less than four columns.
            shift = " " * (-indent(line) % 4) if line.strip() else ""
            if LIST_ITEM.match(line):
                if shift:
                    log.warning("%s:%d: indent a list in a list by four spaces", path, number)
                if before.strip() and not LIST_ITEM.match(before):
                    lines.append("")
            if line.startswith("|") and not before.strip() and not DELIMITER.match(after):
                log.warning("%s:%d: a table has no header row", path, number)
            line = LINK.sub(lambda link: resolved(link, path, page, config, files), line)
            line = re.sub(r"^<details>$", '<details markdown="1">', line)
            before = line
            if opening:
                fence = opening[2]
        elif opening and opening[2] == fence:
            fence = None
        lines.append(shift + line if line else line)
    if fence:
        log.warning("%s: a block of code has no end", path)
    return "\n".join(lines)


def indent(line):
    return len(line) - len(line.lstrip())


def resolved(link, path, page, config, files):
    """The link to a page or picture of the site; to another file, in the repository."""
    if link[1] or re.match(r"[a-z]+:|#", link[2]):
        return link[0]
    target, hash, fragment = link[2].partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if source(target) in files.src_uris:
        here = posixpath.dirname(page.file.src_uri)
        return f"]({posixpath.relpath(source(target), here or '.')}{hash}{fragment})"
    if target.startswith("..") or not (Path(config.docs_dir).parent / target).exists():
        log.warning("%s: dead link: %s", path, link[2])
    return f"]({config.extra['source']}/{target}{hash}{fragment})"
