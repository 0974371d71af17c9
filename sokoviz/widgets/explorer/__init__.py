"""The explorer of tree searches, and the match against one."""
