[(block) (enum) (struct) (disk)] @fold
