*=$1000
.error @"two\nlines"
