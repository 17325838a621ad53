 *=$1000
 push a
 call $1000
