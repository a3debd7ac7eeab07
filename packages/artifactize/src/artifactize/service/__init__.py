"""What artifactize can do, not knowing who asks."""
