"""Cases that people write themselves: the YAML form, and what to do about whatever is wrong with a file."""
