 *=$1000
.eval count++
