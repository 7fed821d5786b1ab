"""The client on asyncio or trio. What is in `_sync` is made from this."""
