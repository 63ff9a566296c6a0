"""What services that build and test software export of their runs and jobs."""
