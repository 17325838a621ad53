.var pad = LoadSpritePad("left-over.spd") // warning: W0206
.fill pad.getDataSize(), 0
