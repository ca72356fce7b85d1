"""Extension points, and what runs a profile's plugins at them."""
