"""The grammar of the rules language (`rules.lark`) and its reference (`REFERENCE.md`), read as package resources."""
