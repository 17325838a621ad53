.namespace sid { .label volume = $d418 }
 sta volume
