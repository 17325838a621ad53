.assert "border", $d020, $d021
