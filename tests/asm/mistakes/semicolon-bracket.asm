 sta $d020 ; border [see vic
