"""What prview can do, not knowing who asks."""
