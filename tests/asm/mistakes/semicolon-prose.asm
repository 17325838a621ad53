 lda #1 ; set the colour
 and #2 ; and store it
 sta $d020 ; ------
