"""The client in threads, made from `_async` by scripts/generate.mjs."""
