"""What crosses borders: states, stored records, requests and results. Import the module you need."""
