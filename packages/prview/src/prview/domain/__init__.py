"""What prview knows without looking: changes, findings, policy, the verdict. No files, clock or await."""
