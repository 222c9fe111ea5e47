"""HTML: the main content as markdown."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import TYPE_CHECKING, Any

from .content import escaped

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_CHROME = (
    "script",
    "style",
    "template",
    "noscript",
    "iframe",
    "svg",
    "canvas",
    "object",
    "embed",
    "nav",
    "form",
    "button",
    "input",
    "select",
    "textarea",
    "dialog",
    "head",
)
_CHROME_ROLES = {"navigation", "banner", "contentinfo", "search", "complementary", "menu"}
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_LANGUAGE = re.compile(r"(?:language|lang|highlight|brush:)[-\s]?([A-Za-z0-9+#]+)$")
_PERMALINKS = ("¶", "#", "§", "🔗")
_BLANK_LINES = re.compile(r"\n{3,}")


def read_html(source: str) -> str:
    """The main content of an HTML page as markdown.

    Navigation, scripts, styles, page heads and feet and hidden elements are left out. Tables stay
    tables, `pre` becomes a fence with the language that its class names.
    """
    from markdownify import MarkdownConverter

    soup = _soup(source)
    main = _main(soup)
    _prune(main)
    converter: Any = MarkdownConverter(
        heading_style="ATX",
        bullets="-",
        code_language_callback=_language,
        escape_underscores=False,
        escape_asterisks=False,
        escape_misc=False,
        table_infer_header=True,
    )
    converter.escape = _escape  # its own knows all or nothing: with all, "a_b" is "a\\_b"
    text = str(converter.convert_soup(main))
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip() + "\n"


def _escape(text: str, parents: Container[str]) -> str:
    """Words that only look like a heading, a rule or a fence, or like a table's border."""
    if "td" in parents or "th" in parents:
        return text.replace("|", "\\|")
    return text if any(f"h{level}" in parents for level in range(1, 7)) else escaped(text)


def html_title(source: str) -> str:
    """The page's title element, else its first h1, else ""."""
    soup = _soup(source)
    for element in (soup.title, soup.find("h1")):
        if element is not None and element.get_text(strip=True):
            return " ".join(element.get_text(" ").split())
    return ""


def _soup(source: str) -> BeautifulSoup:
    from bs4 import BeautifulSoup

    return BeautifulSoup(source, "html.parser")


def _main(soup: BeautifulSoup) -> Any:
    """main, else the only article, else body, else everything."""
    found = soup.find("main") or soup.find(role="main")
    if found is None:
        articles = soup.find_all("article")
        found = articles[0] if len(articles) == 1 else soup.body
    return found or soup


def _prune(main: Tag) -> None:
    from bs4 import Comment

    for element in main.find_all(_CHROME):
        element.decompose()
    for element in main.find_all(True):
        if not element.decomposed and _is_chrome(element):
            element.decompose()
    for comment in main.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()


def _is_chrome(element: Tag) -> bool:
    if element.name == "a" and element.get_text(strip=True) in _PERMALINKS:
        return str(element.get("href") or "").startswith("#")
    if element.has_attr("hidden") or element.get("aria-hidden") == "true":
        return True
    if element.get("role") in _CHROME_ROLES:
        return True
    if _HIDDEN_STYLE.search(str(element.get("style") or "")):
        return True
    if element.name in ("header", "footer", "aside"):
        # A section's own header holds its heading; a page's holds the site's name and menu.
        return element.find_parent(("article", "section", "main")) is None and (
            element.name != "header" or element.find(("h1", "h2")) is None
        )
    return False


def _language(element: Tag) -> str:
    for tag in (element, element.find("code"), element.parent):
        for name in (tag.get("class") or []) if tag is not None and hasattr(tag, "get") else []:
            found = _LANGUAGE.search(str(name))
            if found:
                return found[1]
    return ""
