"""The bundled rulesets (`.rules`) and characters (`.yaml`), read as package resources."""
