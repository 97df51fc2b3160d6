"""What the reader sees: views of a store or a history, and the prompt."""
