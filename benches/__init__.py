"""Programs that measure or make things for the repository; run them as python -m benches.NAME."""
