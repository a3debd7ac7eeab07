"""Who imports whom at the head: read from the text of modules, resolved as bundlers do, never run."""
