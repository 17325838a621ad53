.function f() {
#import "import-in-a-function-part.inc" // error: Invalid token
}
