"""Published tables and settings as data, one file a table; the numbers are the papers', typed as printed."""
