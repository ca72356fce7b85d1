"""Stories in a real browser against the real stack. A pytest run of its own: `./dev e2e`."""
