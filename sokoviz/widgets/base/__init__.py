"""What widgets share: checks, loading, steps, pages."""
