// The author gave no text; the message is empty, and the help says so.
.errorif 1 == 1, ""
.error ""
