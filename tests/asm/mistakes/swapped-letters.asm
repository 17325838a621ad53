 lad #1
