.plugin "se.triad.kickass.CruncherPlugins"
.modify b2() {
   *=$2000
   nop
}
