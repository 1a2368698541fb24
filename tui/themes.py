"""The app's own colours: dark, light and high contrast; Textual's two ANSI themes use the terminal's own."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="codewitness-dark",
    primary="#7aa2f7",
    secondary="#9d7cd8",
    accent="#e0af68",
    warning="#e0af68",
    error="#f7768e",
    success="#73c991",
    foreground="#d5d9e5",
    background="#14161c",
    surface="#1a1d25",
    panel="#242833",
    dark=True,
    variables={
        "footer-key-foreground": "#7aa2f7",
        "scrollbar": "#3a4152",
        "scrollbar-background": "#1a1d25",
        "scrollbar-background-hover": "#1a1d25",
        "scrollbar-background-active": "#1a1d25",
        "scrollbar-corner-color": "#1a1d25",
    },
)
LIGHT = Theme(
    name="codewitness-light",
    primary="#2456b8",
    secondary="#6b3fa0",
    accent="#8f4a00",
    warning="#8f5a00",
    error="#b3123b",
    success="#1c6e3a",
    foreground="#1d2129",
    background="#fbfaf7",
    surface="#f3f1ec",
    panel="#e7e4dc",
    dark=False,
    variables={
        "footer-key-foreground": "#2456b8",
        "scrollbar": "#c2bdb0",
        "scrollbar-background": "#f3f1ec",
        "scrollbar-background-hover": "#f3f1ec",
        "scrollbar-background-active": "#f3f1ec",
        "scrollbar-corner-color": "#f3f1ec",
    },
)
HIGH_CONTRAST = Theme(
    name="codewitness-high-contrast",
    primary="#5cd0ff",
    secondary="#ff9dff",
    accent="#ffd75f",
    warning="#ffd75f",
    error="#ff8080",
    success="#70ff70",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    text_alpha=1.0,
    dark=True,
    variables={
        "footer-key-foreground": "#5cd0ff",
        "scrollbar": "#8a8a8a",
        "scrollbar-background": "#1c1c1c",
        "scrollbar-background-hover": "#1c1c1c",
        "scrollbar-background-active": "#1c1c1c",
        "scrollbar-corner-color": "#1c1c1c",
    },
)
OURS = (DARK, LIGHT, HIGH_CONTRAST)
OFFERED = (*(theme.name for theme in OURS), "ansi-dark", "ansi-light")
