// ask: actions

*=$1000
start:  stx‸ $1000,x
