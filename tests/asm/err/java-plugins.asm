.plugin "com.example.Plugin"    // error: Can't find class for plugin
