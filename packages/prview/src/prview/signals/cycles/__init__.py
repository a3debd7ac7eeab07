"""Import cycles that the reviewed commit has and the base has not."""
