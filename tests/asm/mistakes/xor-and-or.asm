 *=$1000
 xor #$ff
 or #1
