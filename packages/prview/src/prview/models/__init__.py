"""Everything prview says on a wire or writes as JSON: frozen, closed pydantic models, one file a theme."""
