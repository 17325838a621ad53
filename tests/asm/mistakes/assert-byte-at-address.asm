.assert "border", $d020, 5
