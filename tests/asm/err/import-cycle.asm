#import "import-cycle-other.inc"         // error: Imports are nested deeper than 200
