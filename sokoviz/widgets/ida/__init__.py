"""The explorer of IDA*."""
