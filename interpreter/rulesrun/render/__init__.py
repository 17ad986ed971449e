"""Results and diagnostics as text and JSON; nothing here prints."""
