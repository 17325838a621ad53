#importonce "x"
 *=$1000
 rts
