#import "import-cycle-other.inc"
