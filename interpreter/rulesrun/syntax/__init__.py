"""From source text to a parsed tree; the only part that knows Lark. A parsed tree may still be wrong."""
