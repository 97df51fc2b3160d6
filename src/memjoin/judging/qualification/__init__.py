"""Qualification: how far a judge can be trusted, on answers that people have labelled by hand."""
