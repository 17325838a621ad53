.assert "count", 3, 4
