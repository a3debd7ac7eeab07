"""What codevetter decides, without waiting, clocks, files, network or browser."""
