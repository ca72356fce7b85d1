"""The HTTP door of the scheduler: its queue, its decisions, its clock, its configuration."""
