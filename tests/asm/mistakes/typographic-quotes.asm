 *=$1000
 .text “hello”
