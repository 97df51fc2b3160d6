"""What an answer gave away: fields, consensus, levels, availability and joinability."""
