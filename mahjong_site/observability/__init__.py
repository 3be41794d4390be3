"""What a host sees of the site: logs, metrics, and limits before a request is read."""
