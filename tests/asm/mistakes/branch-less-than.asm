 *=$1000
l: blt l
 bge l
