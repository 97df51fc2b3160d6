"""What is tested: the cases' schema, family files, builder, verification and the release."""
