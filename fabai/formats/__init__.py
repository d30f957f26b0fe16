"""Files in and out: readers make Documents, exporters make Word files; pandoc and LibreOffice stand behind fences."""
